import { z } from "zod";
import { Instant } from "#core/model/instant.ts";
import { type Caller, callRest } from "#forges/github/github-call.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { atPull, nameParams } from "#forges/github/github-paths.ts";
import type { PullNode } from "#forges/github/github-pull-schema.ts";
import { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const Activities = z.array(z.object({ after: z.string(), timestamp: Instant }));

export type FetchPushTime = (pull: PullRef, node: PullNode) => Promise<Instant | null>;

/**
 * GraphQL dates force-pushes: such a head stands since. Others are in the branch's activities, one request for a head,
 * asked once: only a force-push could change the answer.
 */
export function createFetchPushTime(caller: Caller): FetchPushTime {
  const kept = new Map<string, Instant | null>();
  return async (pull, node) => {
    const forced = node.forcePushes.nodes.at(-1);
    if (forced?.afterCommit?.oid === node.headRefOid) return forced.createdAt;
    const branchIn = node.headRepository?.nameWithOwner;
    if (node.state !== "OPEN" || branchIn === undefined) return null;
    const key = JSON.stringify([node.id, node.headRefOid, node.headRefName, forced?.createdAt ?? null]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = await ask(caller, { pull, node, branchIn });
    if (found === "unseen") return null;
    if (kept.size >= githubLimits.pushTimesMax) kept.clear();
    kept.set(key, found);
    return found;
  };
}

/** The list may lag behind and not begin with the head: the next look asks again. */
async function ask(
  caller: Caller,
  { pull, node, branchIn }: { readonly pull: PullRef; readonly node: PullNode; readonly branchIn: string },
): Promise<Instant | "unseen" | null> {
  const activities = await callRest(caller, {
    ...atPull(pull),
    name: "fetch push time",
    manner: "read",
    rights: "look",
    method: "GET",
    path: "/repos/{owner}/{repo}/activity",
    params: { ...nameParams(branchIn), ref: `refs/heads/${node.headRefName}`, per_page: 1, direction: "desc" },
    shape: Activities,
  }).catch((error: unknown) => {
    // A fork that may not be seen, or an older Enterprise server that has no such list.
    const isUntold = error instanceof ForgeError && untold.has(error.kind);
    if (isUntold) return null;
    throw error;
  });
  if (activities === null) return null;
  const [latest] = activities;
  return latest?.after === node.headRefOid ? latest.timestamp : "unseen";
}

const untold: ReadonlySet<ForgeError["kind"]> = new Set(["forbidden", "not_found", "refused"]);
