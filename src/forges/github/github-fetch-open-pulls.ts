import { z } from "zod";
import { after, type Instant } from "#core/model/instant.ts";
import { type Caller, callGraphql } from "#forges/github/github-call.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { atRepository, nameParams } from "#forges/github/github-paths.ts";
import { knownPullsQuery, openPullsQuery } from "#forges/github/github-queries.ts";
import { connection, GithubId } from "#forges/github/github-schema.ts";
import { ForgeError, type PullDigest } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

const Counts = z.array(z.object({ state: z.string(), count: z.number() })).nullable();

/** The worst check's state: another check that passes changes the counts alone. */
const Rollup = z.object({
  state: z.string(),
  contexts: z.object({ checkRunCountsByState: Counts, statusContextCountsByState: Counts }),
});

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
  statusCheckRollup: Rollup.nullable(),
});
type DigestNode = z.infer<typeof DigestNode>;

const OpenAnswer = z.object({
  repository: z
    .object({
      databaseId: GithubId,
      pullRequests: connection(DigestNode),
    })
    .nullable(),
});

/** With as many lists as were asked for. An odd element counts as none: then the numbers do not add up. */
const KnownAnswer = OpenAnswer.loose();
const KnownNodes = z.array(DigestNode.nullable().catch(null)).catch([]);

interface Known {
  readonly id: string;
  readonly number: number;
  /** The last definite word: after each push to the base GitHub forgets it for a while. */
  readonly mergeable: string;
}

export type FetchOpenPulls = (repository: RepositoryRef) => Promise<readonly PullDigest[]>;

/** By pages once, then the newest and the known ones by id. Not GitHub's count (an old one reopened): by pages again. */
export function createFetchOpenPulls(caller: Caller): FetchOpenPulls {
  const remembered = new Map<string, readonly Known[]>();
  const restsUntil = new Map<string, Instant>();

  /** Undefined: go by pages. Few are known, they do not add up, or they were too many. */
  async function findKnown(repository: RepositoryRef, known: readonly Known[]) {
    const isAtRest = caller.clock.now() < (restsUntil.get(repository.id) ?? 0);
    if (known.length <= githubLimits.pageSize || isAtRest) return undefined;
    return await fetchKnown(caller, repository, known).catch((error: unknown) => {
      if (!(error instanceof ForgeError) || error.kind !== "unavailable") throw error;
      if (restsUntil.size >= githubLimits.repositoriesRememberedMax) restsUntil.clear();
      restsUntil.set(repository.id, after(caller.clock.now(), githubLimits.knownRestMs));
      return undefined;
    });
  }

  return async (repository) => {
    const known = remembered.get(repository.id) ?? [];
    const found = (await findKnown(repository, known)) ?? (await fetchPages(caller, repository));
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
  const checks = statusCheckRollup === null ? [] : countsOf(statusCheckRollup);
  return [...facts.map((fact) => String(fact ?? "-")), ...checks, ...reactions.sort()].join(" ");
}

function countsOf({ contexts }: z.infer<typeof Rollup>): readonly string[] {
  const { checkRunCountsByState: runs, statusContextCountsByState: statuses } = contexts;
  return [...countWords("run", runs), ...countWords("status", statuses)].sort();
}

function countWords(form: string, counts: z.infer<typeof Counts>): readonly string[] {
  return (counts ?? []).filter(({ count }) => count > 0).map(({ state, count }) => `${form}:${state}:${count}`);
}

/** A point for each hundred. */
async function fetchPages(caller: Caller, repository: RepositoryRef): Promise<readonly DigestNode[]> {
  const found = new Map<number, DigestNode>();
  let cursor: string | null = null;
  do {
    const { body } = await callGraphql(caller, {
      ...asked(repository),
      isPaged: true,
      query: openPullsQuery,
      variables: { ...variablesOf(repository), after: cursor },
      shape: OpenAnswer,
    });
    const { nodes, pageInfo } = pullsOf(body, repository);
    for (const node of nodes) found.set(node.number, node);
    cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (cursor !== null && found.size < githubLimits.openPullsMax);
  return [...found.values()];
}

/** A point for each thousand; undefined if an entry is missing. */
async function fetchKnown(
  caller: Caller,
  repository: RepositoryRef,
  known: readonly Known[],
): Promise<readonly DigestNode[] | undefined> {
  const { pageSize, openPullsOverlap, knownGroupsMax } = githubLimits;
  const ids = known.slice(pageSize - openPullsOverlap).map(({ id }) => id);
  const found = new Map<number, DigestNode>();
  let count = 0;
  for (const some of inGroups(ids, pageSize * knownGroupsMax)) {
    const groups = inGroups(some, pageSize);
    const body = await fetchGroups(caller, repository, groups);
    if (body === undefined) return undefined;
    const { nodes, totalCount } = pullsOf(body, repository);
    const listed = groups.flatMap((_, index) => KnownNodes.parse(body[`known${index}`]));
    for (const node of [...nodes, ...listed]) if (node?.state === "OPEN") found.set(node.number, node);
    count = totalCount;
  }
  return found.size === count ? [...found.values()] : undefined;
}

/** Sent once: if it is too much for GitHub, the caller has another way. */
async function fetchGroups(
  caller: Caller,
  repository: RepositoryRef,
  groups: readonly (readonly string[])[],
): Promise<z.infer<typeof KnownAnswer> | undefined> {
  const named = Object.fromEntries(groups.map((group, index) => [`ids${index}`, group]));
  try {
    const { body } = await callGraphql(caller, {
      ...asked(repository),
      attemptsMax: 1,
      isPaged: true,
      query: knownPullsQuery(groups),
      variables: { ...variablesOf(repository), after: null, ...named },
      shape: KnownAnswer,
    });
    return body;
  } catch (error) {
    // The pull went with its branch or repository: the pages tell the rest.
    if (error instanceof ForgeError && error.kind === "not_found") return undefined;
    throw error;
  }
}

function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
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
