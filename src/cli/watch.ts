import { type PullCall, unreachableExitCode, withLooker } from "#cli/pull-call.ts";
import { readDuration } from "#cli/read-duration.ts";
import { type Terminal } from "#cli/terminal.ts";
import { formatInstant, minuteMs } from "#core/model/instant.ts";
import { type Observation } from "#core/model/observation.ts";
import { type Situation } from "#core/model/situation.ts";
import { approvalWords } from "#core/words/approval-words.ts";
import { turnWords } from "#core/words/condition-words.ts";
import { gateWords } from "#core/words/gate-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

export interface WatchCall extends PullCall {
  readonly interval: string;
}

/** Time for a forge to restart. */
const unreachedMsMax = 10 * minuteMs;

export async function watch(call: WatchCall, terminal: Terminal): Promise<number> {
  const intervalMs = readDuration("--interval", call.interval);
  return await withLooker(call, terminal, async (look) => {
    let before: PullNews | null = null;
    let unreachedMs = 0;
    for (;;) {
      const looked = await look();
      if (looked.kind === "failed") {
        terminal.err(`drover: ${looked.why}\n`);
        return 1;
      }
      const isUnreached = looked.kind === "not_now" && looked.isUnreached;
      if (isUnreached && unreachedMs >= unreachedMsMax) {
        terminal.err(`drover: ${looked.why}; it was tried for ${unreachedMs / minuteMs} minutes\n`);
        return unreachableExitCode;
      }
      unreachedMs = isUnreached ? unreachedMs + intervalMs : 0;
      if (looked.kind === "not_now") terminal.err(`drover: ${looked.why}; trying again\n`);
      else {
        const { seen, situation } = looked;
        const news = newsOf(seen, situation);
        for (const change of transitionsOf(before, news, seen)) {
          const { what, from, to, at } = change;
          const words = from === null ? to : `${from} → ${to}`;
          terminal.out(call.json === true ? `${JSON.stringify(change)}\n` : `${at} ${what.padEnd(9)}${words}\n`);
        }
        before = news;
        if (seen.pull.state !== "open") return 0;
      }
      await terminal.sleep(intervalMs);
    }
  });
}

interface PullTransition {
  readonly what: string;
  readonly from: string | null;
  readonly to: string;
  readonly at: string;
}

type PullNews = Readonly<Record<"pull" | "head" | "gate" | "approval" | "findings" | "turn", string>>;

function newsOf(seen: Observation, situation: Situation): PullNews {
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

function transitionsOf(before: PullNews | null, now: PullNews, seen: Observation): readonly PullTransition[] {
  const at = formatInstant(seen.observedAt);
  const names: readonly (keyof PullNews)[] = ["pull", "head", "gate", "approval", "findings", "turn"];
  return names
    .filter((what) => before?.[what] !== now[what])
    .map((what) => ({ what, from: before?.[what] ?? null, to: now[what], at }));
}
