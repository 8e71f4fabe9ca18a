import { actionWords } from "#core/words/action-words.ts";
import type { Log } from "#ports/log.ts";
import type { PullKey, PullRef } from "#ports/pull-ref.ts";
import type { TickReport } from "#reconcile/tick.ts";

export function logTick(log: Log, { key, repository, number }: KeyedPull, report: TickReport): void {
  const subject = { pull: key, repository: repository.name, number };
  if (report.kind === "settled") log.info(subject, "earlier effects are settled");
  else if (report.kind === "stale") log.info({ ...subject, why: report.why }, "the forge gave a stale answer");
  else {
    const { seen, situation, did } = report;
    const done = did.map(({ action, outcome }) => `${actionWords(action)}: ${outcome.kind}`);
    const facts = { head: seen.pull.head.sha, gate: situation.gate.state, merge: situation.merge.kind, did: done };
    log.info({ ...subject, ...facts }, "ticked a pull");
  }
}

interface KeyedPull extends PullRef {
  readonly key: PullKey;
}
