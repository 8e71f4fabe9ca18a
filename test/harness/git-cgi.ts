import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface GitCgi {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The folder of the bare repositories. */
  readonly root: string;
  /** Everything is done, and the answer is lost. */
  readonly losesAnswer?: boolean;
}

/** Answers a request of git's own protocol with the CGI program that comes with git. Who asks has been seen to. */
export function runGitCgi({ request, response, root, losesAnswer = false }: GitCgi): void {
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
      REMOTE_USER: "somebody",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("error", () => response.destroy());
  child.once("close", () => {
    if (losesAnswer) request.socket.destroy();
    else relay(response, Buffer.concat(chunks));
  });
}

/** What a CGI program prints: headers, an empty line, the body. */
function relay(response: ServerResponse, output: Buffer): void {
  const cut = output.indexOf("\r\n\r\n");
  let status = 200;
  for (const line of output.subarray(0, Math.max(0, cut)).toString("latin1").split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else if (name !== "") response.setHeader(name, value);
  }
  response.writeHead(status).end(output.subarray(cut + 4));
}
