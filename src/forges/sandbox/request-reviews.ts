import type { Account } from "#core/model/account.ts";
import { ReviewId } from "#core/model/ids.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { mayWrite, newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

export function requestReviews(
  world: World,
  entry: PullEntry,
  { by, reviewers }: { readonly by: Account; readonly reviewers: readonly Account[] },
): void {
  const { requests, author } = newestOf(entry);
  if (!mayWrite(entry.repository, by)) throw new EndpointRefusal(403, "asking for reviews needs write permission");
  if (reviewers.some(({ id }) => id === author.id)) throw new EndpointRefusal(422, "the author can not review");
  const added = reviewers.filter(({ id }) => !requests.some((known) => known.of.id === id));
  if (added.length === 0) return;
  recordPullChange(world, entry, {
    by,
    what: { kind: "review_requested", of: added },
    next: { requests: [...requests, ...added.map((of) => ({ id: ReviewId.parse(world.nextId()), of }))] },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "review_requested" });
}
