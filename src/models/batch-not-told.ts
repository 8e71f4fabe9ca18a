import type { BatchReply } from "#models/batch-transport.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { BatchProgress } from "#ports/batches.ts";

/** A batch that is not there will not come back; about anything else nobody knows. */
export function unavailableProgress(
  reply: Exclude<BatchReply, { readonly kind: "ok" }>,
  goneWords: string,
): BatchProgress {
  if (reply.kind === "refused" && reply.status === 404) return { kind: "failed", why: goneWords };
  return { kind: "unavailable", why: reply.failure.why, retryAt: reply.failure.retryAt };
}

/** They are paid for and there is no second copy, so nobody takes what a proxy says in their place for their absence. */
export function unreadableResults({ name }: Pick<ModelClient, "name">): BatchProgress {
  return { kind: "unavailable", why: `what came in the place of the results of ${name} cannot be read`, retryAt: null };
}
