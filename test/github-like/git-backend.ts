import type { IncomingMessage, ServerResponse } from "node:http";
import type { GitAsked } from "#forge-like/git-request.ts";
import { readAuthorization } from "#forge-like/incoming.ts";
import { mayWrite } from "#forges/sandbox/world.ts";
import { holderOf } from "#github-like/authenticate.ts";
import { isAllowed } from "#github-like/rights.ts";
import { findRepository, type Sight } from "#github-like/sight.ts";
import { type Site, sightOf } from "#github-like/site.ts";
import { runGitCgi } from "#harness/git-cgi.ts";

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
  else runGitCgi({ request, response, root: gitRoot });
}

async function statusOf(sight: Sight, { name, isPush }: GitAsked): Promise<number> {
  const repository = await findRepository(sight, name);
  if (repository === undefined) return 404;
  if (!isAllowed(sight.rights, [["contents", isPush ? "write" : "read"]])) return 403;
  if (isPush && !mayWrite(repository, sight.asker)) return 403;
  if (isPush) repository.lastGivenTo = sight.asker;
  return 200;
}
