import { z } from "zod";
import { type Caller, callGraphql } from "#forges/github/github-call.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { atRepository, nameParams } from "#forges/github/github-place.ts";
import { knownPullsQuery, openPullsQuery } from "#forges/github/github-queries.ts";
import { connection, GithubId } from "#forges/github/github-schema.ts";
import { ForgeError, type PullDigest } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

const DigestNode = z.object({
  id: z.string().min(1),
  number: z.number().int().positive(),
  state: z.string(),
  updatedAt: z.string(),
  headRefOid: z.string(),
  mergeable: z.string(),
  totalCommentsCount: z.number().nullable(),
  reviewDecision: z.string().nullable(),
  reactionGroups: z.array(z.object({ content: z.string(), reactors: z.object({ totalCount: z.number() }) })).nullable(),
  statusCheckRollup: z.object({ state: z.string() }).nullable(),
});
type DigestNode = z.infer<typeof DigestNode>;

const OpenAnswer = z.object({
  repository: z
    .object({
      databaseId: GithubId,
      pullRequests: connection(DigestNode).extend({ totalCount: z.number() }),
    })
    .nullable(),
});

/** With as many lists beside it as were asked for. One odd element is as good as none: then the numbers do not add up. */
const KnownAnswer = OpenAnswer.loose();
const KnownNodes = z.array(DigestNode.nullable().catch(null)).catch([]);

/** What is remembered of a pull, the newest pull first. */
interface Known {
  readonly id: string;
  readonly number: number;
  /** The last word that was one: after each push to the base GitHub forgets it for a while. */
  readonly mergeable: string;
}

export type FetchOpenPulls = (repository: RepositoryRef) => Promise<readonly PullDigest[]>;

/**
 * All open pulls. The first time page by page; from then on the newest hundred, and by their ids those that are known, all
 * in one query. Where the two do not add up to the number that GitHub counts (an old pull was opened again), page by page.
 */
export function createFetchOpenPulls(caller: Caller): FetchOpenPulls {
  const remembered = new Map<string, readonly Known[]>();
  return async (repository) => {
    const known = remembered.get(repository.id) ?? [];
    const found =
      (known.length > githubLimits.pageSize ? await fetchKnown(caller, repository, known) : undefined) ??
      (await fetchPages(caller, repository));
    const before = new Map(known.map((each) => [each.number, each.mergeable]));
    const pulls = found.map((node) => ({ node, mergeable: wordOf(node, before.get(node.number)) }));
    if (remembered.size >= githubLimits.repositoriesRememberedMax) remembered.clear();
    remembered.set(
      repository.id,
      pulls.map(({ node, mergeable }) => ({ id: node.id, number: node.number, mergeable })),
    );
    return pulls.map(({ node, mergeable }) => ({
      pull: { repository, number: node.number },
      digest: digestOf(node, mergeable),
    }));
  };
}

function wordOf({ mergeable }: DigestNode, before: string | undefined): string {
  return mergeable === "UNKNOWN" ? (before ?? mergeable) : mergeable;
}

function digestOf(node: DigestNode, mergeable: string): string {
  const { headRefOid, updatedAt, totalCommentsCount, reviewDecision, reactionGroups, statusCheckRollup } = node;
  const reactions = (reactionGroups ?? [])
    .filter(({ reactors }) => reactors.totalCount > 0)
    .map(({ content, reactors }) => `${content}:${reactors.totalCount}`);
  const facts = [headRefOid, updatedAt, mergeable, totalCommentsCount, reviewDecision, statusCheckRollup?.state];
  return [...facts.map((fact) => String(fact ?? "-")), ...reactions.sort()].join(" ");
}

/** A point for each hundred. */
async function fetchPages(caller: Caller, repository: RepositoryRef): Promise<readonly DigestNode[]> {
  const found = new Map<number, DigestNode>();
  let after: string | null = null;
  do {
    const { body } = await callGraphql(caller, {
      ...asked(repository),
      query: openPullsQuery,
      variables: { ...variablesOf(repository), after },
      shape: OpenAnswer,
    });
    const { nodes, pageInfo } = pullsOf(body, repository);
    for (const node of nodes) found.set(node.number, node);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null && found.size < githubLimits.openPullsMax);
  return [...found.values()];
}

/** A point for all of them; undefined where somebody is missing. */
async function fetchKnown(
  caller: Caller,
  repository: RepositoryRef,
  known: readonly Known[],
): Promise<readonly DigestNode[] | undefined> {
  const { pageSize, openPullsOverlap } = githubLimits;
  const ids = known.slice(pageSize - openPullsOverlap).map(({ id }) => id);
  const groups: string[][] = [];
  for (let at = 0; at < ids.length; at += pageSize) groups.push(ids.slice(at, at + pageSize));
  const named = Object.fromEntries(groups.map((group, index) => [`ids${index}`, group]));
  const reply = await callGraphql(caller, {
    ...asked(repository),
    query: knownPullsQuery(groups),
    variables: { ...variablesOf(repository), after: null, ...named },
    shape: KnownAnswer,
  }).catch((error: unknown) => {
    // An id that is not found any more is a pull that went with its branch or its repository: the pages tell the rest.
    if (error instanceof ForgeError && error.kind === "not_found") return undefined;
    throw error;
  });
  if (reply === undefined) return undefined;
  const { nodes, totalCount } = pullsOf(reply.body, repository);
  const found = new Map(nodes.map((node) => [node.number, node]));
  for (const [index] of groups.entries()) {
    for (const node of KnownNodes.parse(reply.body[`known${index}`])) {
      if (node?.state === "OPEN") found.set(node.number, node);
    }
  }
  return found.size === totalCount ? [...found.values()] : undefined;
}

function asked(repository: RepositoryRef) {
  return { ...atRepository(repository), name: "fetch open pulls", manner: "read", rights: "look" } as const;
}

function variablesOf({ name }: RepositoryRef): Readonly<Record<string, unknown>> {
  const { owner, repo } = nameParams(name);
  return { owner, name: repo };
}

type Pulls = NonNullable<z.infer<typeof OpenAnswer>["repository"]>["pullRequests"];

function pullsOf({ repository: found }: z.infer<typeof OpenAnswer>, repository: RepositoryRef): Pulls {
  if (found?.databaseId === repository.id) return found.pullRequests;
  const message = `github ${repository.name}: fetch open pulls: there is no such repository`;
  throw new ForgeError("not_found", message, { isApplied: "no" });
}
