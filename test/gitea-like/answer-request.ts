import type { IncomingMessage, ServerResponse } from "node:http";
import type { Account } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { readGitRequest } from "#forge-like/git-request.ts";
import { type Incoming, readIncoming } from "#forge-like/incoming.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { badToken, errorSaid, notFoundSaid, refusedSaid, troubleSaid } from "#gitea-like/error-said.ts";
import { answerGit } from "#gitea-like/git-backend.ts";
import { type Asked, type Route, repositoryAsked, type Said } from "#gitea-like/rest/route.ts";
import { isThere, type Matched, matchRoute } from "#gitea-like/rest/routes.ts";
import { sendSaid } from "#gitea-like/send-said.ts";
import type { Sight } from "#gitea-like/sight.ts";
import { type Site, sightOf } from "#gitea-like/site.ts";

const root = "/api/v1";

/** One request: one call on the sandbox, and one line in the list of requests. */
export async function answerRequest(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const git = readGitRequest(request);
  if (git !== undefined) return answerGit(site, { request, response, asked: git });
  const incoming = await readIncoming(request);
  if (incoming.path === "/swagger.v1.json") {
    return sendSaid(response, { said: { status: 200, body: site.swagger.document }, date: null });
  }
  const matched = readRoute(site, incoming);
  const account = incoming.token === null ? undefined : site.tokens.get(incoming.token);
  const { said, date } = await outcomeOf(site, { incoming, matched, account });
  site.note({
    method: incoming.method,
    path: incoming.path.slice(root.length) + (incoming.query.size === 0 ? "" : `?${incoming.query.toString()}`),
    endpoint: matched?.route.name ?? null,
    isWrite: matched?.route.isWrite ?? false,
    body: incoming.body,
    headers: incoming.headers,
    account: account ?? null,
    status: said?.status ?? null,
    answer: said?.body,
  });
  if (said !== null && matched !== undefined) {
    for (const problem of site.swagger.answer(matched.route, said)) site.complain(problem);
  }
  if (said !== null) return sendSaid(response, { said, date });
  if (site.silence === "hangs_up") request.socket.destroy();
  return undefined;
}

interface Exchange {
  readonly incoming: Incoming;
  readonly matched: Matched | undefined;
  readonly account: Account | undefined;
}

interface Outcome {
  /** Null: nothing is ever heard of it. */
  readonly said: Said | null;
  readonly date: Instant | null;
}

/** What this server does not have, or this version does not, is nothing that a client should ask for. */
function readRoute(site: Site, incoming: Incoming): Matched | undefined {
  const { method, path } = incoming;
  const matched = path.startsWith(`${root}/`) ? matchRoute(method, path.slice(root.length)) : undefined;
  if (matched === undefined || !isThere(matched.route, site.version)) {
    site.complain(`${method} ${path} is no operation that ${site.version.text} has`);
    return undefined;
  }
  for (const problem of site.swagger.request(matched.route, { incoming, params: matched.params }))
    site.complain(problem);
  return matched;
}

/** Whoever comes without a token where none is needed. */
const nobody: Account = { id: AccountId.parse("0"), login: "nobody", kind: "person" };

async function outcomeOf(site: Site, { incoming, matched, account }: Exchange): Promise<Outcome> {
  if (matched === undefined) return { said: unknownSaid(site, incoming), date: null };
  const { route, params } = matched;
  if (incoming.token !== null && account === undefined) return { said: errorSaid(site, 401, badToken), date: null };
  if (account === undefined && route.scope !== null) {
    return { said: errorSaid(site, 401, "token is required"), date: null };
  }
  const { query, body } = incoming;
  const asked: Asked = { params, query, body, path: incoming.path };
  const { name, isWrite } = route;
  const answer = await site.sandbox.serve({ name, isWrite, account: account ?? nobody }, async (look) => {
    const sight = sightOf(site, look);
    return { said: await serve(site, { route, asked, incoming, sight }), date: sight.date };
  });
  if (answer.kind === "success") return answer.body;
  return { said: answer.kind === "silence" ? null : troubleSaid(site, answer), date: null };
}

/** A path that nobody knows. Forgejo has something else under the address at which threads are resolved. */
function unknownSaid(site: Site, { path }: Incoming): Said {
  if (site.version.isForgejo && /\/pulls\/comments\/\d+\/(?:un)?resolve$/.test(path)) {
    return { status: 405, body: undefined };
  }
  if (path.startsWith(`${root}/`)) return notFoundSaid(site, null);
  return { status: 404, body: Buffer.from("Not found.\n"), headers: { "content-type": "text/plain;charset=utf-8" } };
}

interface Serving {
  readonly route: Route;
  readonly asked: Asked;
  readonly incoming: Incoming;
  readonly sight: Sight;
}

async function serve(site: Site, { route, asked, incoming, sight }: Serving): Promise<Said> {
  try {
    checkScope(site, route, incoming);
    if (incoming.isBroken) throw new EndpointRefusal(422, "[]: invalid character");
    await checkLife(sight, route, asked);
    return await route.serve(sight, asked);
  } catch (error) {
    if (error instanceof EndpointRefusal) return refusedSaid(site, error);
    throw error;
  }
}

async function checkLife(sight: Sight, { needsLife }: Route, asked: Asked): Promise<void> {
  if (needsLife === undefined) return;
  const { ref } = await repositoryAsked(sight, asked);
  if (sight.extras.archived.has(ref.id)) throw new EndpointRefusal(423, `${ref.name} is archived`);
}

/** Only tokens that were given scopes are narrowed by them; writing holds reading. */
function checkScope({ scopes }: Site, { scope, method }: Route, { token }: Incoming): void {
  const given = scopes.get(token ?? "");
  if (given === undefined || scope === null) return;
  const level = method === "GET" ? "read" : "write";
  const enough = new Set([`write:${scope}`, ...(level === "read" ? [`read:${scope}`] : []), "all"]);
  if (given.some((word) => enough.has(word))) return;
  const words = `required=[${level}:${scope}], token scope=${given.join(",")}`;
  throw new EndpointRefusal(403, `token does not have at least one of required scope(s), ${words}`);
}
