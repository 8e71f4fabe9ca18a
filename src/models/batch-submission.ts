import type { Reply } from "#models/batch-door.ts";
import type { OpenModel } from "#models/open-model.ts";
import type { Failure } from "#models/read-failure.ts";
import type { Submitted } from "#ports/batches.ts";

type Refused = Extract<Submitted, { readonly kind: "refused" }>;

export function refused({ why, isPassing, retryAt }: Pick<Failure, "why" | "isPassing" | "retryAt">): Refused {
  return { kind: "refused", why, isPassing, retryAt };
}

/** Where it will not get better by itself. */
export function refusedFor(why: string): Refused {
  return refused({ why, isPassing: false, retryAt: null });
}

/** What a submission came to. One that was accepted in words that cannot be understood may well be there. */
export function submittedAs(model: OpenModel, reply: Reply, readId: (text: string) => string | undefined): Submitted {
  if (reply.kind === "refused") return refused(reply.failure);
  if (reply.kind === "unknown") return { kind: "unknown", why: reply.failure.why };
  const id = readId(reply.text);
  if (id === undefined) return { kind: "unknown", why: `${model.name} accepted it in words that cannot be read` };
  return { kind: "submitted", handle: { id, model: model.name } };
}
