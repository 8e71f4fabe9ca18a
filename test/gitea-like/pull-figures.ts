import type { Instant } from "#core/model/instant.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { PullSight } from "#gitea-like/sight.ts";

type Kind = SandboxChange["what"]["kind"];

/** What a pull goes through without being told as changed: what was said may be another than what was seen. */
const unseen: ReadonlySet<Kind> = new Set<Kind>([
  "comment_edited",
  "comment_deleted",
  "review_edited",
  "thread_resolved",
  "thread_unresolved",
  "reacted",
  "unreacted",
  "pending_review_left",
  "pending_review_discarded",
]);

/** When the pull was last changed, by Gitea's account. */
export function changedAtOf(pull: PullSight): Instant {
  return findLast(pull, (kind) => !unseen.has(kind))?.at ?? pull.state.createdAt;
}

/**
 * How much was said. From 1.23 on the texts of reviews count as well, but the count is only made when somebody comments,
 * replies or deletes something: a review alone leaves it as it was.
 */
export function commentCountOf(pull: PullSight): number {
  const { sight, state } = pull;
  if (!sight.version.isFrom(23)) return state.comments.length;
  const counted = findLast(pull, (kind) => kind === "commented" || kind === "comment_deleted");
  if (counted === undefined) return 0;
  const said = state.reviews.filter((review) => review.state.kind !== "pending" && review.state.at <= counted.at);
  return state.comments.length + said.length;
}

function findLast({ sight, entry }: PullSight, isWanted: (kind: Kind) => boolean): SandboxChange | undefined {
  const { repository, number } = entry.ref;
  return sight.world.history.findLast(
    ({ at, pull, what }) =>
      at <= sight.at && pull?.number === number && pull.repository.id === repository.id && isWanted(what.kind),
  );
}
