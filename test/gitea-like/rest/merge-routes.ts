import { z } from "zod";
import { applyMerge } from "#forges/sandbox/apply-merge.ts";
import { mergeabilityOf } from "#forges/sandbox/mergeability.ts";
import { moveBranch } from "#forges/sandbox/push-branch.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { mayWrite, newestOf } from "#forges/sandbox/world.ts";
import { isWorkInProgress } from "#gitea-like/draft-title.ts";
import { Bare, NotFound } from "#gitea-like/refusals.ts";
import { type Asked, nothing, pullAsked, type Route, readBody, type Said } from "#gitea-like/rest/route.ts";
import type { PullSight } from "#gitea-like/sight.ts";

const one = "/repos/{owner}/{repo}/pulls/{index}";

const styles = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only", "manually-merged"] as const;
const Merge = z.object({ Do: z.enum(styles), head_commit_id: z.string().default("") });
/** Later versions take the other spelling as well. */
const LaterMerge = z.union([
  Merge,
  z
    .object({ do: z.enum(styles), head_commit_id: z.string().default("") })
    .transform(({ do: style, head_commit_id }) => ({ Do: style, head_commit_id })),
]);

const done: Said = { status: 200, body: undefined };

export const mergeRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${one}/merge`,
    name: "get_merged",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      if ((await pullAsked(sight, asked)).state.merged === null) throw new NotFound();
      return nothing;
    },
  },
  {
    method: "POST",
    path: `${one}/merge`,
    name: "merge_pull",
    isWrite: true,
    needsLife: true,
    scope: "repository",
    serve: async (sight, asked) => merge(await pullAsked(sight, asked), asked),
  },
  {
    method: "POST",
    path: `${one}/update`,
    name: "update_pull",
    isWrite: true,
    scope: "repository",
    serve: async (sight, asked) => update(await pullAsked(sight, asked)),
  },
];

/** Whether it can be merged at all is looked at first, and only then which head was meant. */
async function merge(pull: PullSight, asked: Asked): Promise<Said> {
  const { sight, entry } = pull;
  const { head_commit_id: wanted } = readBody(sight.version.isFrom(26) ? LaterMerge : Merge, asked);
  const state = newestOf(entry);
  if (state.state === "merged") throw new EndpointRefusal(405, "The PR is already merged");
  if (state.state === "closed") throw new NotFound();
  if (!mayWrite(entry.repository, sight.asker)) throw new EndpointRefusal(405, "User not allowed to merge PR");
  if (isWorkInProgress(state)) throw new EndpointRefusal(405, "Work in progress PRs cannot be merged");
  const mergeability = await mergeabilityOf(sight.world, entry, { state, at: sight.date });
  if (mergeability !== "mergeable") throw new EndpointRefusal(405, "Please try again later");
  if (wanted !== "" && wanted !== state.head.sha) throw new EndpointRefusal(409, "head out of date");
  await applyMerge(sight.world, entry, { by: sight.asker, head: state.head.sha, waits: "not" });
  return done;
}

/** Brings the base into the branch, with a merge whatever style was asked for. */
async function update({ sight, entry }: PullSight): Promise<Said> {
  const { world, asker: by } = sight;
  const { state, head, base } = newestOf(entry);
  if (state !== "open") throw new EndpointRefusal(422, `pull request is already ${state}`);
  if (!mayWrite(entry.repository, by)) throw new Bare(403);
  const repository = entry.repository.ref.name;
  if (await world.host.isAncestor({ repository, older: base.tip, newer: head.sha })) return done;
  const made = await world.host.mergeCommit({
    repository,
    base: head.sha,
    head: base.tip,
    message: `Merge branch '${base.branch}' into ${head.branch}`,
    author: { name: by.login, email: `${by.login}@localhost` },
    at: world.now(),
  });
  if (made.kind === "conflict") throw new EndpointRefusal(409, "merge failed because of conflict");
  await moveBranch(world, entry.repository, { by, branch: head.branch, to: made.commit });
  return done;
}
