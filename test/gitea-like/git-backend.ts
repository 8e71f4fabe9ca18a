import type { IncomingMessage, ServerResponse } from "node:http";
import type { Account } from "#core/model/account.ts";
import type { GitAsked } from "#forge-like/git-request.ts";
import { readAuthorization } from "#forge-like/incoming.ts";
import { mayWrite } from "#forges/sandbox/world.ts";
import { mustFindRepository } from "#gitea-like/sight.ts";
import { type Site, sightOf } from "#gitea-like/site.ts";
import { runGitCgi } from "#harness/git-cgi.ts";

/** Git's own protocol over HTTP, with the token for a password, or for a name. Who pushes is known by it. */
export async function answerGit(
  site: Site,
  { request, response, asked }: { request: IncomingMessage; response: ServerResponse; asked: GitAsked },
): Promise<void> {
  const { gitRoot } = site;
  const account = accountOf(site, request.headers.authorization ?? "");
  if (account === undefined || gitRoot === null) {
    const status = gitRoot === null ? 404 : 401;
    response.writeHead(status, { "www-authenticate": 'Basic realm="Gitea"' }).end();
    return;
  }
  const { name, isPush } = asked;
  const call = { name: isPush ? "git_push" : "git_fetch", isWrite: isPush, account };
  const answer = await site.sandbox.serve(call, async (look) => {
    const repository = await mustFindRepository(sightOf(site, look), name);
    const isAllowed = !isPush || mayWrite(repository, account);
    if (isPush && isAllowed) repository.lastGivenTo = account;
    return isAllowed ? 200 : 403;
  });
  if (answer.kind === "silence") request.socket.destroy();
  else if (answer.kind === "refusal") response.writeHead(answer.status).end();
  else if (answer.body !== 200) response.writeHead(answer.body).end();
  else runGitCgi({ request, response, root: gitRoot });
}

function accountOf({ tokens }: Site, authorization: string): Account | undefined {
  const password = tokens.get(readAuthorization(authorization) ?? "");
  const [, basic = ""] = /^basic (\S+)$/i.exec(authorization) ?? [];
  const [name = ""] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return password ?? tokens.get(name);
}
