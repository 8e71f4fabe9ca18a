import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Account } from "#core/model/account.ts";
import { callForge } from "#forges/sandbox/remote/forge-handlers.ts";
import { callPerson, type PersonCall } from "#forges/sandbox/remote/person-handlers.ts";
import { personHelp } from "#forges/sandbox/remote/person-help.ts";
import { BadRpcRequest } from "#forges/sandbox/remote/rpc-handler.ts";
import { gateNameHeader } from "#forges/sandbox/remote/rpc-schema.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";

export interface ServeSandboxOptions {
  readonly sandbox: Sandbox;
  readonly tokens: ReadonlyMap<string, Account>;
  readonly port: number;
  readonly faults?: PersonCall["faults"];
}

export interface ServedSandbox {
  readonly url: string;
  /** Calls that are being served are served to their end. */
  close(): Promise<void>;
}

/** For this machine, with a bearer token: `POST /forge/<method of the port>`, and `POST /person/<deed>` for people. */
export async function serveSandbox(parts: ServeSandboxOptions): Promise<ServedSandbox> {
  const server = createServer((request, response) => {
    answer(parts, request).then(
      (said) => reply(response, said),
      () => reply(response, brokenDown),
    );
  });
  server.keepAliveTimeout = idleMsMax;
  const port = await listen(server, parts.port);
  return {
    url: `http://${loopback}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Other machines have no business here: tokens and answers travel in the open. */
const loopback = "127.0.0.1";

/** Longer than the clients', so that they close what they do not need. */
const idleMsMax = 15_000;

/** A review with all its remarks fits in many times over. */
const requestBytesMax = 32 * 1024 * 1024;

interface Said {
  readonly status: number;
  readonly body: string;
  readonly isText?: boolean;
}

function readGateName({ headers }: IncomingMessage): string | undefined {
  const name = headers[gateNameHeader];
  return typeof name === "string" ? decodeURIComponent(name) : undefined;
}

const brokenDown: Said = { status: 500, body: "the sandbox broke down\n" };

async function answer({ sandbox, tokens, faults }: ServeSandboxOptions, request: IncomingMessage): Promise<Said> {
  const [, family, name, ...rest] = (request.url ?? "").split("/");
  const isForge = family === "forge";
  if (request.method !== "POST" || (!isForge && family !== "person")) return nothingHere;
  if (name === undefined || rest.length > 0) return nothingHere;
  const account = tokens.get(readToken(request));
  if (account === undefined) return { status: 401, body: "no such token\n" };
  if (!isForge && name === "help") {
    return {
      status: 200,
      body: personHelp({ url: `http://${request.headers.host ?? loopback}`, token: readToken(request), sandbox }),
      isText: true,
    };
  }
  const body = await readBody(request);
  if (body === undefined) return { status: 413, body: `more than ${requestBytesMax} bytes\n` };
  try {
    const asked = readJson(body);
    const told = isForge
      ? await callForge(sandbox, { account, method: name, asked, gateName: readGateName(request) })
      : await callPerson(sandbox, { account, deed: name, asked, faults });
    return { status: 200, body: `${JSON.stringify(told ?? null)}\n` };
  } catch (error) {
    if (error instanceof BadRpcRequest) return { status: 400, body: `${error.message}\n` };
    // People are told what the forge forbids; to a program an unknown error is a bug.
    if (!isForge && error instanceof Error) return { status: 422, body: `${error.message}\n` };
    throw error;
  }
}

const nothingHere: Said = { status: 404, body: "there is POST /forge/<method> and POST /person/<deed>\n" };

function readToken({ headers }: IncomingMessage): string {
  return /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("a request is read as bytes");
    bytes += chunk.byteLength;
    if (bytes > requestBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadRpcRequest("this is no JSON", { cause });
  }
}

/** A client that hung up gets no response; its request has happened all the same. */
function reply(response: ServerResponse, { status, body, isText = status !== 200 }: Said): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
    "content-length": String(Buffer.byteLength(body)),
  });
  response.end(body);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: loopback, port, exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the sandbox has no port"));
      else resolve(address.port);
    });
  });
}
