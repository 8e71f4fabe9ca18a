import { after } from "#core/model/instant.ts";
import { sessionEndWords } from "#core/words/session-ends.ts";
import type { RetryLater } from "#jobs/job-retries.ts";
import type { SessionContext, SessionWork } from "#jobs/work-session.ts";
import type { PushOutcome } from "#ports/git.ts";

type Changed = Extract<SessionWork["result"], { readonly kind: "changed" }>;

export type Pushed =
  | { readonly kind: "pushed" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "unfinished"; readonly cause: "head_moved"; readonly why: string }
  | RetryLater;

/**
 * Pushes the commit to exactly the head that the session started from. Called again after a crash or a lost response,
 * it says so if the commit is there, even if others have pushed on top of it.
 */
export async function pushSession(
  { jobContext, pullContext, session, mirror }: SessionContext,
  { commit }: Changed,
): Promise<Pushed> {
  const { clock, forge, durations } = jobContext.dependencies;
  const remote = await forge.fetchRemote(pullContext.ref.repository, "push");
  const now = clock.now();
  // A slow push must end before another worker takes over.
  if (after(now, durations.marginMs) > jobContext.leaseUntil()) return { kind: "again", at: now };
  const ref = `refs/heads/${pullContext.seen.pull.head.branch}`;
  const { signal } = jobContext;
  const outcome = await mirror.push({ remote, ref, commit, expected: session.head, manner: "fast_forward", signal });
  switch (outcome.kind) {
    case "pushed":
      return outcome;
    case "moved":
      await mirror.fetchRefs({ remote, refs: [ref], signal });
      return outcome.to !== null && (await mirror.ancestry({ older: commit, newer: outcome.to })) === "ancestor"
        ? { kind: "pushed" }
        : { kind: "unfinished", cause: "head_moved", why: sessionEndWords.headMovedMeanwhile };
    case "refused":
      return { kind: "failed", why: refusals[outcome.why] };
    default:
      return { kind: "again", at: after(clock.now(), durations.settleMs) };
  }
}

const refusals = {
  not_fast_forward: sessionEndWords.notFastForward,
  unknown_history: sessionEndWords.unknownHistory,
  remote_rejected: sessionEndWords.pushRejected,
} as const satisfies Record<Extract<PushOutcome, { readonly kind: "refused" }>["why"], string>;
