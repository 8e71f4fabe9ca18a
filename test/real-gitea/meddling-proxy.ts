import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Meddler } from "#contract/forge/world.ts";
import type { Account } from "#core/model/account.ts";
import { secondMs } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";

/** A request of the API that went through, or was kept from it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly login: string | null;
  readonly body: string;
}

/** A server between the client and the real one, which does to requests what networks and servers do in bad times. */
export interface MeddlingProxy {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  meddle(source: Meddler): void;
  close(): Promise<void>;
}

export async function openProxy(options: {
  readonly to: string;
  readonly accountOf: (token: string) => Account | undefined;
}): Promise<MeddlingProxy> {
  const requests: ProxiedRequest[] = [];
  let meddler: Meddler = leaveAlone;
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = idleMsMax;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = incoming.url ?? "/";
    // Git's own requests are large and of no interest here.
    if (!path.startsWith("/api/")) return passOn(options.to, incoming, outgoing);
    const body = await buffer(incoming);
    const method = incoming.method ?? "GET";
    const account = options.accountOf(tokenOf(incoming));
    requests.push({ method, path, login: account?.login ?? null, body: body.toString() });
    const isWrite = method !== "GET";
    const fault = account === undefined ? null : meddler({ endpoint: `${method} ${path}`, isWrite, account });
    if (isServed(fault, isWrite)) {
      const served = await forward(options.to, incoming, body);
      if (fault === null || fault.kind === "stale") return reply(outgoing, served);
    }
    spoil(outgoing, fault);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    meddle: (source) => {
      meddler = source;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Longer than that of the clients, so that it is they who close what they do not need. */
const idleMsMax = 15_000;

function leaveAlone(): null {
  return null;
}

function tokenOf({ headers }: IncomingMessage): string {
  return /^(?:token|bearer) (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** A read leaves nothing behind, so it need not happen where nobody will hear the answer. */
function isServed(fault: SandboxFault | null, isWrite: boolean): boolean {
  if (fault === null) return true;
  switch (fault.kind) {
    case "lost_response":
      return isWrite;
    case "server_error":
    case "timeout":
      return isWrite && fault.isApplied;
    case "rate_limited":
    case "expired_token":
      return false;
    case "stale":
      throw new Error("a real server shows no past");
    default:
      return never(fault);
  }
}

function spoil(outgoing: ServerResponse, fault: SandboxFault | null): void {
  switch (fault?.kind) {
    case "server_error":
      outgoing.writeHead(fault.isApplied ? 500 : 502).end("trouble");
      return;
    case "rate_limited": {
      const seconds = fault.retryAfterMs === null ? null : Math.ceil(fault.retryAfterMs / secondMs);
      outgoing.writeHead(429, seconds === null ? {} : { "retry-after": String(seconds) }).end("too many");
      return;
    }
    case "expired_token":
      outgoing.writeHead(401, { "content-type": "application/json" }).end('{"message":"invalid token"}');
      return;
    default:
      // Nobody waits for a timeout here: to the client it is the same silence.
      outgoing.destroy();
  }
}

interface Served {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

async function forward(to: string, incoming: IncomingMessage, body: Buffer): Promise<Served> {
  const answer = await send(to, incoming, body);
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}

function reply(outgoing: ServerResponse, { status, headers: told, body }: Served): void {
  // It comes in one piece by now.
  const { "transfer-encoding": _, ...headers } = told;
  outgoing.writeHead(status, { ...headers, "content-length": body.byteLength }).end(body);
}

async function passOn(to: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const answer = await send(to, incoming, await buffer(incoming));
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
}

async function send(to: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { "transfer-encoding": _, ...headers } = incoming.headers;
  const asked = request(new URL(incoming.url ?? "/", to), {
    method: incoming.method ?? "GET",
    headers: { ...headers, "content-length": body.byteLength },
  });
  asked.end(body);
  return await new Promise((resolve, reject) => {
    asked.on("response", resolve);
    asked.on("error", reject);
  });
}
