import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mayWrite } from "#forges/sandbox/world.ts";
import { holderOf } from "#github-like/authenticate.ts";
import { readAuthorization } from "#github-like/incoming.ts";
import { isAllowed } from "#github-like/rights.ts";
import { findRepository, type Sight } from "#github-like/sight.ts";
import { type Site, sightOf } from "#github-like/site.ts";

/** `/mia/tools.git/info/refs`, and so on. */
const gitPath = /^\/([^/]+\/[^/]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;

export interface GitAsked {
  readonly name: string;
  readonly isPush: boolean;
  readonly path: string;
  readonly query: string;
}

/** Undefined for what is no request of git. */
export function readGitRequest({ url = "" }: IncomingMessage): GitAsked | undefined {
  const [path = "", query = ""] = url.split("?");
  const [, name, what] = gitPath.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { name, path, query, isPush: what === "git-receive-pack" || query === "service=git-receive-pack" };
}

/** Git's own protocol over HTTP, with the token for a password. Who pushes is known by it. */
export async function answerGit(
  site: Site,
  { request, response, asked }: { request: IncomingMessage; response: ServerResponse; asked: GitAsked },
): Promise<void> {
  const { gitRoot } = site;
  const token = readAuthorization(request.headers.authorization ?? "");
  const holder = token === null ? undefined : holderOf(site, token);
  if (holder === undefined || gitRoot === null) {
    const status = gitRoot === null ? 404 : 401;
    response.writeHead(status, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    return;
  }
  const { rights } = holder;
  const name = asked.isPush ? "git_push" : "git_fetch";
  const answer = await site.sandbox.serve({ name, isWrite: asked.isPush, account: rights.account }, async (look) => {
    const sight = sightOf(site, rights, look);
    if (holder.problemAt(sight.tokenDate) !== null) return 401;
    return await statusOf(sight, asked);
  });
  if (answer.kind === "silence") request.socket.destroy();
  else if (answer.kind === "refusal") response.writeHead(answer.status).end();
  else if (answer.body !== 200) response.writeHead(answer.body).end();
  else runBackend({ request, response, asked, root: gitRoot });
}

async function statusOf(sight: Sight, { name, isPush }: GitAsked): Promise<number> {
  const repository = await findRepository(sight, name);
  if (repository === undefined) return 404;
  if (!isAllowed(sight.rights, [["contents", isPush ? "write" : "read"]])) return 403;
  if (isPush && !mayWrite(repository, sight.asker)) return 403;
  if (isPush) repository.lastGivenTo = sight.asker;
  return 200;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly asked: GitAsked;
  readonly root: string;
}

/** The program that comes with git for this. */
function runBackend({ request, response, asked, root }: Exchange): void {
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      PATH_INFO: asked.path,
      QUERY_STRING: asked.query,
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
  child.once("close", () => relay(response, Buffer.concat(chunks)));
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
