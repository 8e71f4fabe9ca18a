import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { branchRef, mayWrite, newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

export interface MergeAttempt {
  readonly by: Account;
  readonly head: HeadSha | null;
  readonly waits: "until_known" | "not";
}

/** Both forges say 405 to "not now" and "never", and 409 to another head. */
export async function applyMerge(
  world: World,
  entry: PullEntry,
  { by, head: asked, waits }: MergeAttempt,
): Promise<HeadSha> {
  const { state, isDraft, head, base, movedAt, title } = newestOf(entry);
  if (!mayWrite(entry.repository, by)) throw new EndpointRefusal(403, "merging needs write permission");
  if (state !== "open") throw new EndpointRefusal(405, "the pull is not open");
  if (isDraft) throw new EndpointRefusal(405, "the pull is a draft");
  if (asked !== null && asked !== head.sha) throw new EndpointRefusal(409, "head out of date");
  const isKnown = world.now() >= movedAt + world.quirks.mergeabilityDelayMs;
  if (!isKnown && waits === "not") throw new EndpointRefusal(405, "Please try again later");
  const made = await world.host.mergeCommit({
    repository: entry.repository.ref.name,
    base: base.tip,
    head: head.sha,
    message: `Merge pull #${entry.ref.number}: ${title}`,
    author: { name: by.login, email: `${by.login}@localhost` },
    at: world.now(),
  });
  if (made.kind === "conflict") throw new EndpointRefusal(405, "Please try again later");
  await land(world, entry, { by, commit: made.commit });
  return made.commit;
}

async function land(
  world: World,
  entry: PullEntry,
  { by, commit }: { readonly by: Account; readonly commit: HeadSha },
): Promise<void> {
  const { repository } = entry;
  const { head, base } = newestOf(entry);
  const refs = await world.host.refsOf(repository.ref.name);
  if (refs.get(branchRef(base.branch)) !== base.tip) throw new EndpointRefusal(405, "Base branch was modified");
  await world.host.setRef({ repository: repository.ref.name, ref: branchRef(base.branch), to: commit });
  recordPullChange(world, entry, {
    by,
    what: { kind: "merged", head: head.sha, commit, base: base.branch },
    next: { state: "merged", merged: { by, head: head.sha, commit, at: world.now() } },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "closed" });
  await detectPushes(world, repository, by);
}
