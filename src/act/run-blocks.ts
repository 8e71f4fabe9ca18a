import type { Turn } from "#act/turn.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import type { PublishedReview } from "#core/model/records.ts";

/** The look that a review tells of, as the state block in its text. */
export function runBlocks(
  turn: Turn,
  published: Pick<PublishedReview, "role" | "head" | "verdict" | "digest">,
): readonly BlockContent[] {
  const { role, head, verdict, digest } = published;
  const run = turn.seen.records.runs.findLast(
    (one) => one.role === role && one.head === head && one.state.kind === "completed",
  );
  return run === undefined ? [] : [{ type: "review", data: { run, published: { verdict, digest } } }];
}
