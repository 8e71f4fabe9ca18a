import type { Observation } from "#core/model/observation.ts";
import type { Condition, Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { approvalNotes } from "#core/words/approval-words.ts";
import { conditionWords, turnWords } from "#core/words/condition-words.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import { fixingNote } from "#core/words/session-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function flightPlanText(seen: Observation, situation: Situation): string {
  if (seen.pull.state !== "open") return turnLine(seen, situation);
  const rows = situation.flightPlan.conditions.filter(isNews).map(row);
  const table = ["| | condition | state |", "| --- | --- | --- |", ...rows].join("\n");
  return [turnLine(seen, situation), table, ...remarks(situation)].join("\n\n");
}

/** That a pull is open and small enough goes without saying, and that people merge by hand too. */
function isNews(condition: Condition): boolean {
  if (condition.kind === "merge_wanted") return condition.when !== "never";
  if (condition.kind === "whole_view") return !condition.isMet || condition.partlyRead.length > 0;
  return !condition.isMet || condition.kind !== "open";
}

function turnLine(seen: Observation, situation: Situation): string {
  const head = codeSpan(shortSha(seen.pull.head.sha));
  const { merge, flightPlan } = situation;
  switch (merge.kind) {
    case "done":
      return `Merged at ${head}.`;
    case "ready":
      return `Head ${head}: everything is met, merging.`;
    case "queued":
      return `Head ${head}: waiting in the merge queue.`;
    case "off":
    case "waiting":
      if (seen.pull.state === "closed") return `Closed at ${head}.`;
      return `Head ${head}: it is the turn of **${turnWords[flightPlan.turn]}**.`;
    default:
      return never(merge);
  }
}

function row(condition: Condition): string {
  const { name, detail } = conditionWords(condition);
  const sign = condition.isMet ? "✅" : signs[condition.turn];
  return `| ${sign} | ${name} | ${detail.replaceAll("|", "\\|")} |`;
}

const signs = {
  author: "❌",
  reviewers: "⏳",
  maintainers: "✋",
  ci: "⏳",
  forge: "⏳",
  drover: "⏳",
  nobody: "⛔",
} as const satisfies Record<Condition["turn"], string>;

function remarks(situation: Situation): readonly string[] {
  const fixing = fixingNote(situation.fixing);
  const lines = [...approvalNotes(situation.approval), ...(fixing === null ? [] : [fixing])];
  return lines.length === 0 ? [] : [lines.map((line) => `- Note: ${line}.`).join("\n")];
}
