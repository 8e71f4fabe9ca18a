import { compareText } from "#core/compare-text.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { Heads } from "#core/model/situation.ts";

export function deriveHeads(seen: Observation): Heads {
  const { pull } = seen;
  const known = inOrder(seen.records.heads);
  const last = known.at(-1);
  if (
    last === undefined ||
    last.sha !== pull.head.sha ||
    last.baseBranch !== pull.base.branch ||
    hasComeBack(seen, last)
  ) {
    const current: HeadSeen = {
      sha: pull.head.sha,
      baseBranch: pull.base.branch,
      since: standsSince(seen, last),
      patch: pull.head.patch,
    };
    return { current, history: [...known, current], toRecord: current };
  }
  if (last.patch === null && pull.head.patch !== null) {
    const current = { ...last, patch: pull.head.patch };
    return { current, history: [...known.slice(0, -1), current], toRecord: current };
  }
  return { current: last, history: known, toRecord: null };
}

/** A push or change of base after it was first seen: another head may have stood in between. */
function hasComeBack(seen: Observation, last: HeadSeen): boolean {
  const { head, base } = seen.pull;
  return [head.pushedAt, base.since].some((told) => told !== null && told > last.since && told <= seen.observedAt);
}

/**
 * The forge's own time of head and base together: an approval may lie between a push and a change of base. A head
 * pushed before its predecessor was seen came back by force.
 */
function standsSince(seen: Observation, last: HeadSeen | undefined): HeadSeen["since"] {
  const { pull, observedAt } = seen;
  // Also within one second, a later head sorts after its predecessor.
  const seenSince = last === undefined ? observedAt : later(observedAt, after(last.since, 1));
  if (pull.head.pushedAt === null || pull.base.since === null) return seenSince;
  const told = later(pull.head.pushedAt, pull.base.since);
  return told > observedAt || (last !== undefined && told <= last.since) ? seenSince : told;
}

function later(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}

function inOrder(heads: readonly HeadSeen[]): readonly HeadSeen[] {
  const once = new Map<string, HeadSeen>();
  for (const head of heads) {
    const key = `${head.since} ${head.sha} ${head.baseBranch}`;
    const other = once.get(key);
    if (other === undefined || other.patch === null) once.set(key, head);
  }
  return [...once.values()].sort((left, right) => left.since - right.since || compareText(left.sha, right.sha));
}
