import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A forge's git on loopback, behind a password, with the manners of a bad network on demand. */
export interface GitHttpServer {
  readonly url: string;
  /** The authorization of every request, in order. */
  readonly seen: (string | undefined)[];
  /** What happens to requests whose path ends like this. */
  disturb(pathEnd: string, how: Disturbance): void;
  close(): Promise<void>;
}

export type Disturbance =
  /** Everything is done, and the answer is lost. */
  { readonly kind: "lose_answer" } | { readonly kind: "hang_up" } | { readonly kind: "redirect"; readonly to: string };

export async function serveGit(options: { readonly root: string; readonly token: string }): Promise<GitHttpServer> {
  const seen: (string | undefined)[] = [];
  const disturbances = new Map<string, Disturbance>();
  const wanted = `Basic ${Buffer.from(`bot:${options.token}`).toString("base64")}`;
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const [path = ""] = (request.url ?? "").split("?");
    const [, how] = [...disturbances].find(([end]) => path.endsWith(end)) ?? [];
    if (how?.kind === "hang_up") request.socket.destroy();
    else if (how?.kind === "redirect") response.writeHead(302, { location: how.to + (request.url ?? "") }).end();
    else if (request.headers.authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": `Basic realm="${options.token}"` }).end("who are you?");
    } else runBackend({ request, response, root: options.root, losesAnswer: how !== undefined });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    disturb: (pathEnd, how) => void disturbances.set(pathEnd, how),
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly root: string;
  readonly losesAnswer: boolean;
}

/** The CGI program that comes with git. */
function runBackend({ request, response, root, losesAnswer }: Exchange): void {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      REMOTE_USER: "bot",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    if (losesAnswer) request.socket.destroy();
    else answer(response, Buffer.concat(chunks));
  });
}

function answer(response: ServerResponse, output: Buffer): void {
  const cut = output.indexOf("\r\n\r\n");
  let status = 200;
  for (const line of output.subarray(0, cut).toString().split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status).end(output.subarray(cut + 4));
}
