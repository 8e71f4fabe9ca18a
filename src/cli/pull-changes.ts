import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { approvalWords } from "#core/words/approval-words.ts";
import { turnWords } from "#core/words/condition-words.ts";
import { gateWords } from "#core/words/gate-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

/** One thing about a pull that changed. */
export interface PullTransition {
  readonly what: string;
  readonly from: string | null;
  readonly to: string;
  readonly at: string;
}

/** What people follow of a pull, each in a word or two. Two equal values are the same news. */
export type PullNews = Readonly<Record<"pull" | "head" | "gate" | "approval" | "findings" | "turn", string>>;

export function newsOf(seen: Observation, situation: Situation): PullNews {
  const { open, blockers } = situation.findings;
  return {
    pull: seen.pull.state === "open" && seen.pull.isDraft ? "draft" : seen.pull.state,
    head: shortSha(seen.pull.head.sha),
    gate: gateWords(situation.gate),
    approval: approvalWords(situation.approval),
    findings: `${blockers.length} blocking, ${open.length - blockers.length} other`,
    turn: turnWords[situation.flightPlan.turn],
  };
}

/** What is new since the last look; everything is at the first one. */
export function transitionsOf(before: PullNews | null, now: PullNews, seen: Observation): readonly PullTransition[] {
  const at = formatInstant(seen.observedAt);
  const names: readonly (keyof PullNews)[] = ["pull", "head", "gate", "approval", "findings", "turn"];
  return names
    .filter((what) => before?.[what] !== now[what])
    .map((what) => ({ what, from: before?.[what] ?? null, to: now[what], at }));
}
