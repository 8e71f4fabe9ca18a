import type { IncomingMessage, ServerResponse } from "node:http";
import { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { readGitRequest } from "#forge-like/git-request.ts";
import { type Incoming, readIncoming } from "#forge-like/incoming.ts";
import type { ServedView } from "#forges/sandbox/call-endpoint.ts";
import type { EndpointResponse } from "#forges/sandbox/wire.ts";
import type { Allowance } from "#github-like/allowance.ts";
import { type Holder, holderOf } from "#github-like/authenticate.ts";
import { errorSaid, troubleSaid } from "#github-like/error-said.ts";
import { etagOf } from "#github-like/etag.ts";
import { answerGit } from "#github-like/git-backend.ts";
import { type Operation, readOperation } from "#github-like/operation.ts";
import type { Said } from "#github-like/rest/route.ts";
import { sendSaid } from "#github-like/send-said.ts";
import { type Site, sightOf } from "#github-like/site.ts";

/** One request: one call on the sandbox, and one line in the list of requests. */
export async function answerRequest(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const git = readGitRequest(request);
  if (git !== undefined) return answerGit(site, { request, response, asked: git });
  const incoming = await readIncoming(request);
  const operation = readOperation(site, incoming);
  const known = incoming.token === null ? undefined : holderOf(site, incoming.token);
  const holder = known ?? (operation?.isOpen === true ? nobody : undefined);
  const outcome = await outcomeOf(site, { incoming, operation, holder });
  const { said, allowance, date, cost } = outcome;
  site.note({
    method: incoming.method,
    path: incoming.path + (incoming.query.size === 0 ? "" : `?${incoming.query.toString()}`),
    endpoint: operation?.name ?? null,
    isWrite: operation?.isWrite ?? false,
    body: incoming.body,
    headers: incoming.headers,
    rights: holder?.rights ?? null,
    status: said?.status ?? null,
    answer: said?.body,
    resource: operation?.resource ?? null,
    cost,
  });
  if (said !== null && operation !== undefined) for (const problem of operation.check(said)) site.complain(problem);
  if (said === null) {
    if (site.silence === "hangs_up") request.socket.destroy();
    return;
  }
  sendSaid(response, { said, allowance, date });
}

/** Whoever comes without a token where none is needed. */
const nobody: Holder = {
  rights: { kind: "person", account: { id: AccountId.parse("0"), login: "nobody", kind: "person" } },
  problemAt: () => null,
};

interface Exchange {
  readonly incoming: Incoming;
  readonly operation: Operation | undefined;
  readonly holder: Holder | undefined;
}

interface Outcome {
  /** Null: nothing is ever heard of it. */
  readonly said: Said | null;
  readonly allowance: Allowance | null;
  readonly date: Instant | null;
  readonly cost: number;
}

async function outcomeOf(site: Site, { incoming, operation, holder }: Exchange): Promise<Outcome> {
  const bare = { allowance: null, date: null, cost: 0 };
  if (operation === undefined) return { said: errorSaid(404, "Not Found"), ...bare };
  if (holder === undefined) {
    const words = incoming.token === null ? "Requires authentication" : "Bad credentials";
    return { said: errorSaid(401, words), ...bare };
  }
  const { name, isWrite } = operation;
  const { account } = holder.rights;
  const answer: EndpointResponse<Outcome> = await site.sandbox.serve({ name, isWrite, account }, (look) =>
    serve(site, { incoming, operation, holder }, look),
  );
  if (answer.kind === "success") return answer.body;
  return { said: answer.kind === "silence" ? null : troubleSaid(answer, site), ...bare };
}

type Known = Exchange & { readonly operation: Operation; readonly holder: Holder };

/** In the turn of the call. */
async function serve(site: Site, { incoming, operation, holder }: Known, look: ServedView): Promise<Outcome> {
  const date = look.world.now();
  const { rights } = holder;
  const { resource } = operation;
  const problem = holder.problemAt(site.tokenClock?.now() ?? date);
  if (problem !== null) return { said: errorSaid(401, problem), allowance: null, date, cost: 0 };
  const before = site.allowances.look(rights.account.id, resource, date);
  if (before.used >= before.limit) return { said: operation.overLimit(), allowance: before, date, cost: 0 };
  const sight = sightOf(site, rights, look);
  const allowanceAfter = (cost: number) => site.allowances.spend(rights.account.id, resource, date, cost);
  const said = await operation.serve(sight);
  const tag = etagOf(incoming, said);
  const isKnown = tag !== null && incoming.headers["if-none-match"] === tag;
  // What the client has already is told for nothing.
  const cost = isKnown || operation.isFree ? 0 : operation.cost;
  const headers = {
    ...said.headers,
    ...(tag !== null && { etag: tag, "cache-control": "private, max-age=60, s-maxage=60" }),
  };
  const shown = isKnown ? { status: 304, body: undefined, headers } : { ...said, headers };
  return { said: shown, allowance: allowanceAfter(cost), date, cost };
}
