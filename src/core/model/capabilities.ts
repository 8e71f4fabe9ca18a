import { z } from "zod";
import type { Data } from "#core/model/data.ts";

export const Capabilities = z.strictObject({
  mayEditReviewBodies: z.boolean(),
  mayDismissReviews: z.boolean(),
  /** No forge that we know allows it. */
  mayJudgeOwnPull: z.boolean(),
  /** Without it, a request for changes of the bot's could never be lifted either. */
  mayApprove: z.boolean(),
  mayResolveThreads: z.boolean(),
  /** Saved observations of earlier versions do not say. */
  mayReactToReviews: z.boolean().default(false),
  /** When the description was edited, and to what. */
  tellsBodyEdits: z.boolean().default(true),
  /** Else the gate is a plain status, and neutral is said as success with words. */
  hasNeutralGate: z.boolean(),
  hasReactionEvents: z.boolean(),
});
export type Capabilities = Data<typeof Capabilities>;
