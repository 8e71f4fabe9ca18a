import type { PullContext } from "#act/pull-context.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import type { PublishedReview } from "#core/model/records.ts";

/** The look that a review tells of, as the state block in its text. */
export function runBlocks(
  context: PullContext,
  published: Pick<PublishedReview, "role" | "head" | "verdict" | "digest">,
): readonly BlockContent[] {
  const { role, head, verdict, digest } = published;
  const run = context.seen.records.runs.findLast(
    (one) => one.role === role && one.head === head && one.state.kind === "completed",
  );
  return run === undefined ? [] : [{ type: "review", data: { run, published: { verdict, digest } } }];
}
