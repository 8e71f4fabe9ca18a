import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/** What a forge, in this version and with this token, can do. Differences between forges are data. */
export const Capabilities = z.strictObject({
  /** The text of a submitted review can be changed (GitHub; Gitea through its comment, from 1.16 on). */
  mayEditReviewBodies: z.boolean(),
  /** An approval can be withdrawn without deleting the review. */
  mayDismissReviews: z.boolean(),
  /** A verdict is accepted on a pull that the bot's own account opened. No forge that we know allows it. */
  mayJudgeOwnPull: z.boolean(),
  /**
   * An approval of the bot's account is accepted. One that may not approve could never lift a request for changes of its
   * own either.
   */
  mayApprove: z.boolean(),
  mayResolveThreads: z.boolean(),
  /** A reaction can be set on the text of a review. Saved observations of earlier versions do not say. */
  mayReactToReviews: z.boolean().default(false),
  /** The forge tells when its description was edited, and to what. */
  tellsBodyEdits: z.boolean().default(true),
  /** The gate can say "neutral"; else it is a plain status, and neutral is said as success with words. */
  hasNeutralGate: z.boolean(),
  hasReactionEvents: z.boolean(),
});
export type Capabilities = Data<typeof Capabilities>;
