import { readRef } from "#git/ref-name.ts";
import { GitError, type PushOutcome, type PushRequest } from "#ports/git.ts";
import { historyOf } from "#testing/memory-git/memory-history.ts";
import { findUnknownIn, type MemoryState, openRemote } from "#testing/memory-git/memory-state.ts";

export function pushMemory(state: MemoryState, request: PushRequest): PushOutcome {
  const ref = readRef(request.ref);
  const { hub } = state;
  if (findUnknownIn(state, [request.commit]) !== undefined) {
    throw new GitError("bad_request", "the mirror lacks the commit that is to be pushed");
  }
  const refusal = findRefusal(state, request);
  if (refusal !== undefined) return refusal;
  if (!canOpen(state, request)) return { kind: "unknown", why: "no_answer" };
  const push = { url: request.remote.url, ref, from: request.expected, to: request.commit };
  const isThere = hub.refsOf(request.remote.url)?.get(ref) === request.commit;
  const answer = isThere ? "moved" : hub.compareAndSet(push);
  if (answer === "moved") return { kind: "pushed" };
  if (answer === "rejected") return { kind: "refused", why: "remote_rejected" };
  return { kind: "moved", to: hub.refsOf(request.remote.url)?.get(ref) ?? null };
}

/** A remote that does not answer leaves open what it did, as far as anybody can tell. */
function canOpen(state: MemoryState, request: PushRequest): boolean {
  try {
    openRemote(state.hub, request.remote, request);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.kind === "unavailable") return false;
    throw error;
  }
}

function findRefusal(state: MemoryState, { manner, expected, commit }: PushRequest): PushOutcome | undefined {
  if (manner === "rewrite" || expected === null) return undefined;
  if (findUnknownIn(state, [expected]) !== undefined) return { kind: "refused", why: "unknown_history" };
  const isFastForward = historyOf(state.hub.objects, commit).has(expected);
  return isFastForward ? undefined : { kind: "refused", why: "not_fast_forward" };
}
