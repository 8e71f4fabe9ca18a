import { Kind, OperationTypeNode } from "graphql";
import type { Incoming } from "#forge-like/incoming.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { Resource } from "#github-like/allowance.ts";
import { openapiCheck } from "#github-like/check-openapi.ts";
import { errorSaid, primaryLimit, refusedSaid } from "#github-like/error-said.ts";
import { executeGraphql, type GraphqlAsked, readGraphql } from "#github-like/graphql/execute-graphql.ts";
import type { Route, Said } from "#github-like/rest/route.ts";
import { matchRoute } from "#github-like/rest/routes.ts";
import { isAllowed } from "#github-like/rights.ts";
import { mustFindRepository, type Sight } from "#github-like/sight.ts";
import type { Site } from "#github-like/site.ts";

/** What a request asks for, of either API. */
export interface Operation {
  readonly name: string;
  readonly isWrite: boolean;
  readonly resource: Resource;
  readonly cost: number;
  /** Counts against nothing. */
  readonly isFree: boolean;
  /** Needs no token. */
  readonly isOpen: boolean;
  serve(sight: Sight): Promise<Said> | Said;
  /** What is wrong with an answer, by the description of the API. */
  check(said: Said): readonly string[];
  /** What is said when the hour's allowance is used up. */
  overLimit(): Said;
}

export function readOperation(site: Site, incoming: Incoming): Operation | undefined {
  // GitHub Enterprise has the two APIs under these roots.
  const path = incoming.path.replace(/^\/api\/v3(?=\/)/, "").replace(/^\/api\/graphql$/, "/graphql");
  if (path === "/graphql") return incoming.method === "POST" ? graphqlOperation(site, incoming) : undefined;
  const found = matchRoute(incoming.method, path);
  if (found === undefined) {
    site.complain(`${incoming.method} ${path} is no operation that this server has`);
    return undefined;
  }
  return restOperation(site, { ...incoming, path }, found);
}

function restOperation(
  site: Site,
  incoming: Incoming,
  { route, params }: { readonly route: Route; readonly params: Readonly<Record<string, string>> },
): Operation {
  const check = openapiCheck();
  for (const problem of check.request(route, { incoming, params })) site.complain(problem);
  const asked = {
    params,
    query: incoming.query,
    body: incoming.body,
    accept: incoming.headers["accept"] ?? "",
    token: incoming.token ?? "",
  };
  return {
    name: route.name,
    isWrite: route.isWrite,
    resource: "core",
    cost: 1,
    isFree: route.path === "/rate_limit",
    isOpen: route.needs === "nobody",
    async serve(sight) {
      try {
        if (incoming.isBroken) throw new EndpointRefusal(400, "Problems parsing JSON");
        await checkRights(sight, route, params);
        return await route.serve(sight, asked);
      } catch (error) {
        if (error instanceof EndpointRefusal)
          return refusedSaid(error, { hasPlainErrors: check.hasPlainErrors(route) });
        throw error;
      }
    },
    check: (said) => check.answer(route, said),
    overLimit: () => errorSaid(403, primaryLimit),
  };
}

/** First whether there is such a repository for this token, and only then what it may do there. */
async function checkRights(sight: Sight, route: Route, params: Readonly<Record<string, string>>): Promise<void> {
  const { owner, repo } = params;
  const { needs } = route;
  if (needs === "nobody") return;
  const isOfApp = needs === "app";
  if (isOfApp !== (sight.rights.kind === "app"))
    throw new EndpointRefusal(401, "A JSON web token could not be decoded");
  if (isOfApp) return;
  if (owner !== undefined && repo !== undefined) await mustFindRepository(sight, `${owner}/${repo}`);
  if (!isAllowed(sight.rights, needs)) throw new EndpointRefusal(403, "Resource not accessible by integration");
}

function graphqlOperation(site: Site, incoming: Incoming): Operation {
  const read = readGraphql(incoming.body);
  if (read.kind === "wrong") site.complain(`graphql: ${JSON.stringify(read.errors)}`);
  const asked = read.kind === "asked" ? read.asked : undefined;
  const cost = asked?.cost.points ?? 1;
  return {
    name: asked === undefined ? "graphql" : graphqlName(asked),
    isWrite: asked?.operation.operation === OperationTypeNode.MUTATION,
    resource: "graphql",
    cost,
    isFree: false,
    isOpen: false,
    async serve(sight) {
      if (read.kind === "wrong") return { status: 200, body: { errors: read.errors } };
      const { account } = sight.rights;
      const before = sight.allowances.look(account.id, "graphql", sight.date);
      const allowance = { ...before, used: before.used + cost };
      return { status: 200, body: await executeGraphql(sight, read.asked, { allowance, complain: site.complain }) };
    },
    // The execution itself answers only as the schema allows.
    check: () => [],
    overLimit: () => ({ status: 200, body: { errors: [{ type: "RATE_LIMITED", message: primaryLimit }] } }),
  };
}

/** `graphql:repository`, `graphql:addReaction`: by the first thing that is asked for. */
function graphqlName({ operation }: GraphqlAsked): string {
  const [first] = operation.selectionSet.selections;
  return `graphql:${first?.kind === Kind.FIELD ? first.name.value : "fragment"}`;
}
