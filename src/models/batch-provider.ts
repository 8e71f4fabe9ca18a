import type { BatchReply } from "#models/batch-transport.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { ModelFailure } from "#models/read-failure.ts";
import type { Submitted } from "#ports/batches.ts";

type Refused = Extract<Submitted, { readonly kind: "refused" }>;

export function refusedSubmission({
  why,
  isPassing,
  retryAt,
}: Pick<ModelFailure, "why" | "isPassing" | "retryAt">): Refused {
  return { kind: "refused", why, isPassing, retryAt };
}

/** Where it will not get better by itself. */
export function refusedFor(why: string): Refused {
  return refusedSubmission({ why, isPassing: false, retryAt: null });
}

/** What a submission came to. One that was accepted in words that cannot be understood may well be there. */
export function submittedAs(
  model: ModelClient,
  reply: BatchReply,
  readId: (text: string) => string | undefined,
): Submitted {
  if (reply.kind === "refused") return refusedSubmission(reply.failure);
  if (reply.kind === "unknown") return { kind: "unknown", why: reply.failure.why };
  const id = readId(reply.text);
  if (id === undefined) return { kind: "unknown", why: `${model.name} accepted it in words that cannot be read` };
  return { kind: "submitted", handle: { id, model: model.name } };
}
