import { actionWords } from "#core/words/action-words.ts";
import type { Log } from "#ports/log.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { TickReport } from "#reconcile/tick.ts";

/** One line for each look at a pull: what was seen, what follows from it, and what became of that. */
export function logTick(log: Log, { repository, number }: PullRef, report: TickReport): void {
  const subject = { repository: repository.name, pull: number };
  if (report.kind === "settled") log.info(subject, "what was begun earlier is settled");
  else if (report.kind === "stale") log.info({ ...subject, why: report.why }, "the forge shows its past");
  else {
    const { seen, situation, did } = report;
    const done = did.map(({ action, outcome }) => `${actionWords(action)}: ${outcome.kind}`);
    const facts = { head: seen.pull.head.sha, gate: situation.gate.state, merge: situation.merge.kind, did: done };
    log.info({ ...subject, ...facts }, "looked at a pull");
  }
}
