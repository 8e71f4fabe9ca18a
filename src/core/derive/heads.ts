import { compareText } from "#core/compare-text.ts";
import type { Heads } from "#core/decision/situation.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";

/** Which heads this pull has had, as far as Drover saw them; the one that stands now is the last. */
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

/** The forge tells of a push or a change of base after it was first seen: in between there was something else. */
function hasComeBack(seen: Observation, last: HeadSeen): boolean {
  const { head, base } = seen.pull;
  return [head.pushedAt, base.since].some((told) => told !== null && told > last.since && told <= seen.observedAt);
}

/**
 * The forge's own time at which both the head and the base branch were as now, unless it contradicts earlier
 * observations: a head that was pushed before its predecessor was seen came back by force. A push time alone is not
 * enough: an approval may have been given between the push and a change of the base branch.
 */
function standsSince(seen: Observation, last: HeadSeen | undefined): HeadSeen["since"] {
  const { pull, observedAt } = seen;
  // Strictly after its predecessor, also within one second: the order of the heads is the order in which they were seen.
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
