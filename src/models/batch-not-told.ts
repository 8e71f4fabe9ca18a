import type { Reply } from "#models/batch-door.ts";
import type { OpenModel } from "#models/open-model.ts";
import type { BatchProgress } from "#ports/batches.ts";

/** A batch that is not there will not come back; about anything else nobody knows. */
export function notTold(reply: Exclude<Reply, { readonly kind: "ok" }>, goneWords: string): BatchProgress {
  if (reply.kind === "refused" && reply.status === 404) return { kind: "failed", why: goneWords };
  return { kind: "unavailable", why: reply.failure.why, retryAt: reply.failure.retryAt };
}

/** They are paid for and there is no second copy, so nobody takes what a proxy says in their place for their absence. */
export function unreadableResults({ name }: Pick<OpenModel, "name">): BatchProgress {
  return { kind: "unavailable", why: `what came in the place of the results of ${name} cannot be read`, retryAt: null };
}
