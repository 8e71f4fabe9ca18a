import { mayWrite } from "#forges/sandbox/world.ts";
import { pullKey } from "#github-like/extras.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { mustBeAllowed, noNode, TypedError } from "#github-like/graphql/graphql-error.ts";
import { findPullOf } from "#github-like/graphql/node-view.ts";
import { inputOf, payload } from "#github-like/graphql/payload.ts";
import { mergeStateOf } from "#github-like/graphql/pull-scalars.ts";
import { pullView } from "#github-like/graphql/pull-view.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { readNodeId } from "#github-like/node-id.ts";
import type { PullSight, Sight } from "#github-like/sight.ts";

/** Auto-merge and the merge queue. This server remembers who asked for what; it merges nothing by itself. */
export function mergeMutations(sight: Sight): Readonly<Record<string, (args: Arguments) => Promise<View>>> {
  return {
    enablePullRequestAutoMerge: (args) => enable(sight, args),
    disablePullRequestAutoMerge: async (args) => {
      const { pull, key } = await wanted(sight, inputOf(args)["pullRequestId"]);
      if (!sight.extras.autoMerges.delete(key))
        throw new TypedError("UNPROCESSABLE", "Can't disable auto-merge for this pull request.");
      return payload("DisablePullRequestAutoMergePayload", args, {
        actor: () => actorView(sight, sight.asker),
        pullRequest: () => pullView(pull),
      });
    },
    enqueuePullRequest: (args) => enqueue(sight, args),
    dequeuePullRequest: async (args) => {
      const { pull, key } = await wanted(sight, inputOf(args)["id"]);
      const entry = pullView(pull)["mergeQueueEntry"];
      if (!sight.extras.queueEntries.delete(key))
        throw new TypedError("UNPROCESSABLE", "Pull request is not in the merge queue");
      return payload("DequeuePullRequestPayload", args, { mergeQueueEntry: entry });
    },
  };
}

async function wanted(sight: Sight, id: unknown): Promise<{ readonly pull: PullSight; readonly key: string }> {
  const node = readNodeId(String(id));
  const pull = node?.kind === "PR" ? await findPullOf(sight, node) : undefined;
  if (pull === undefined) throw noNode(String(id));
  mustBeAllowed(sight, [
    ["contents", "write"],
    ["merge_queues", "write"],
  ]);
  const { ref, repository } = pull.entry;
  if (!mayWrite(repository, sight.asker))
    throw new TypedError("FORBIDDEN", "You're not authorized to push to this branch.");
  return { pull, key: pullKey(ref.repository.id, ref.number) };
}

function mustBeAt({ state }: PullSight, expected: unknown): void {
  if (typeof expected === "string" && expected !== state.head.sha) {
    throw new TypedError("UNPROCESSABLE", "Head branch was modified. Review and try the merge again.");
  }
}

async function enable(sight: Sight, args: Arguments): Promise<View> {
  const { pullRequestId, mergeMethod, expectedHeadOid } = inputOf(args);
  const { pull, key } = await wanted(sight, pullRequestId);
  mustBeAt(pull, expectedHeadOid);
  const status = await mergeStateOf(pull);
  // What could be merged at once is to be merged at once.
  if (status === "CLEAN") throw new TypedError("UNPROCESSABLE", "Pull request Pull request is in clean status");
  if (status === "UNSTABLE") throw new TypedError("UNPROCESSABLE", "Pull request Pull request is in unstable status");
  const method = typeof mergeMethod === "string" ? mergeMethod : "MERGE";
  sight.extras.autoMerges.set(key, { by: sight.asker, at: sight.world.now(), method });
  return payload("EnablePullRequestAutoMergePayload", args, {
    actor: () => actorView(sight, sight.asker),
    pullRequest: () => pullView(pull),
  });
}

async function enqueue(sight: Sight, args: Arguments): Promise<View> {
  const { pullRequestId, expectedHeadOid } = inputOf(args);
  const { pull, key } = await wanted(sight, pullRequestId);
  mustBeAt(pull, expectedHeadOid);
  const { entry, state } = pull;
  if (!sight.extras.queuedBranches.has(`${entry.ref.repository.id}:${state.base.branch}`)) {
    throw new TypedError("UNPROCESSABLE", "Merge queue is not enabled for this branch");
  }
  sight.extras.queueEntries.set(key, { by: sight.asker, at: sight.world.now(), head: state.head.sha });
  return payload("EnqueuePullRequestPayload", args, { mergeQueueEntry: () => pullView(pull)["mergeQueueEntry"] });
}
