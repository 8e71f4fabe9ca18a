import type { DemoDecision, DemoEvent } from "#app/demo/demo-event.ts";
import { observationWords } from "#app/demo/observation-words.ts";
import type { ActionOf } from "#core/model/action.ts";
import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { actionWords } from "#core/words/action-words.ts";
import { approvalNotes } from "#core/words/approval-words.ts";
import { turnWords } from "#core/words/condition-words.ts";
import { shortSha } from "#core/words/short-sha.ts";
import { situationWords } from "#core/words/situation-words.ts";
import type { ActionResult, TickReport } from "#reconcile/tick.ts";

export type Looked = Extract<TickReport, { readonly kind: "looked" }>;

export function tickWords(before: Looked | undefined, now: Looked): Extract<DemoEvent, { readonly kind: "looked" }> {
  return {
    kind: "looked",
    at: formatInstant(now.seen.observedAt),
    saw: observationWords(before?.seen, now.seen),
    decided: decidedWords(before, now),
    did: now.did.filter(({ action }) => action.kind !== "look_again").map(deedWords),
  };
}

/** A tick runs every half minute, and most see and do nothing. */
export function isWorthTelling(told: Extract<DemoEvent, { readonly kind: "looked" }>): boolean {
  return told.saw.length + told.decided.length + told.did.length > 0;
}

const decisions = ["reviews", "head", "findings", "fixing", "hold", "gate", "approval", "note", "merge", "turn"];

function decidedWords(before: Looked | undefined, now: Looked): readonly DemoDecision[] {
  const known = new Set((before === undefined ? [] : linesOf(before)).map(({ about, words }) => `${about} ${words}`));
  const fresh = linesOf(now).filter(({ about, words }) => !known.has(`${about} ${words}`));
  return before === undefined ? fresh.filter(isNoDefault) : fresh;
}

function linesOf({ seen, situation }: Looked): readonly DemoDecision[] {
  const said = situationWords(seen, situation).filter(([about]) => about !== "head");
  const notes = approvalNotes(situation.approval).map((words): Line => ["note", words]);
  const lines = [...said, ...unreviewedLine(situation), ...notes, ...turnLine(seen, situation)];
  return decisions.flatMap((name) =>
    lines.filter(([about]) => about === name).map(([about, words]) => ({ about, words: tidy(words) })),
  );
}

/** At the first tick everything is new, so defaults are left out. */
function isNoDefault({ about, words }: DemoDecision): boolean {
  return !(about === "findings" || about === "fixing" || (about === "hold" && words === "none"));
}

type Line = readonly [about: string, words: string];

function unreviewedLine({ review, heads }: Situation): readonly Line[] {
  const isUnreviewed = review.roles.some(({ kind }) => kind === "unreviewed");
  return isUnreviewed ? [["head", `${shortSha(heads.current.sha)} is not reviewed`]] : [];
}

function turnLine({ pull }: Observation, { flightPlan, merge }: Situation): readonly Line[] {
  if (pull.state !== "open") return [];
  return [["turn", turnWords[merge.kind === "ready" ? "drover" : flightPlan.turn]]];
}

/** A terminal needs no marks, and "approved: approved by" is one word too many. */
function tidy(markdown: string): string {
  return markdown.replace(/[*`]/g, "").replace(/^(\w+): \1\b/, "$1");
}

function deedWords({ action, outcome }: ActionResult): string {
  const words = action.kind === "record_approval" ? approvalNoted(action) : actionWords(action);
  switch (outcome.kind) {
    case "done":
      return words;
    case "later":
      return `${words}: not yet (${outcome.why})`;
    case "refused":
      return `${words}: the forge refused (${outcome.error})`;
    default:
      return never(outcome);
  }
}

/** Without the forge's name of the signal, which is for machines. */
function approvalNoted({ approval }: ActionOf<"record_approval">): string {
  return `remember that the approval is for ${shortSha(approval.head)}`;
}
