import { readObservation } from "#app/read-observation.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { derive } from "#core/derive/derive.ts";
import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { plan } from "#core/plan/plan.ts";
import { actionWords } from "#core/words/action-words.ts";
import { carriedWords, ignoredApprovalWords } from "#core/words/approval-words.ts";
import { conditionWords, turnWords } from "#core/words/condition-words.ts";
import { situationWords } from "#core/words/situation-words.ts";

/** `drover explain --observation FILE.json`: derive and plan without acting. */
export async function explain(
  options: { readonly observation: string | undefined; readonly isJson: boolean },
  terminal: Terminal,
): Promise<number> {
  const path = options.observation;
  if (path === undefined) throw new UsageError("explain needs --observation FILE.json (or - for standard input).");
  const seen = readObservation(await readText(path, terminal));
  if (seen.kind === "unreadable") {
    const lines = seen.problems.map((problem) => `  ${problem}`);
    throw new UsageError([`${path} is not a readable observation:`, ...lines].join("\n"));
  }
  const situation = derive(seen.observation);
  const actions = plan(seen.observation, situation);
  terminal.out(options.isJson ? asJson(situation, actions) : asText(seen.observation, situation, actions));
  return 0;
}

async function readText(path: string, terminal: Terminal): Promise<string> {
  try {
    return await terminal.readFile(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function asJson(situation: Situation, actions: readonly Action[]): string {
  return `${JSON.stringify({ situation, flightPlan: situation.flightPlan, plan: actions }, null, 2)}\n`;
}

function asText(seen: Observation, situation: Situation, actions: readonly Action[]): string {
  const { flightPlan } = situation;
  const conditions = flightPlan.conditions.map((condition) => {
    const { name, detail } = conditionWords(condition);
    return `  ${condition.isMet ? "[x]" : "[ ]"} ${name.padEnd(14)}${detail}`;
  });
  const planned = actions.map((action, index) => `  ${String(index + 1).padStart(2)}. ${actionWords(action)}`);
  return [
    "Situation",
    ...situationWords(seen, situation).map(([name, words]) => `  ${name.padEnd(14)}${words}`),
    "",
    `Flight plan (turn: ${turnWords[flightPlan.turn]})`,
    ...conditions,
    ...[...ignoredApprovalWords(situation.approval), ...carriedWords(situation.approval)].map(
      (line) => `  Note: ${line}.`,
    ),
    "",
    "Plan",
    ...(planned.length === 0 ? ["  nothing to do"] : planned),
    "",
  ].join("\n");
}
