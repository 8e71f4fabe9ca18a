import { type NotesTrust } from "#app/run/read-only-observer.ts";
import { type PullCall, withLooker } from "#cli/pull-call.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { derive } from "#core/derive/derive.ts";
import { errorText } from "#core/error-text.ts";
import { type Action } from "#core/model/action.ts";
import { Observation } from "#core/model/observation.ts";
import { type Situation } from "#core/model/situation.ts";
import { plan } from "#core/plan/plan.ts";
import { actionWords } from "#core/words/action-words.ts";
import { approvalNotes } from "#core/words/approval-words.ts";
import { conditionWords, turnWords } from "#core/words/condition-words.ts";
import { situationWords } from "#core/words/situation-words.ts";

type ReadObservation =
  | { readonly kind: "read"; readonly observation: Observation }
  | { readonly kind: "unreadable"; readonly problems: readonly string[] };

const problemsMax = 10;

function readObservation(text: string): ReadObservation {
  const json = parseJson(text);
  if (json.kind === "unreadable") return json;
  const parsed = Observation.safeParse(json.value);
  if (parsed.success) return { kind: "read", observation: parsed.data };
  const problems = parsed.error.issues.map((issue) => `${fieldName(issue.path)}: ${issueWords(issue)}`);
  const rest = problems.length > problemsMax ? [`and ${problems.length - problemsMax} more`] : [];
  return { kind: "unreadable", problems: [...problems.slice(0, problemsMax), ...rest] };
}

function parseJson(
  text: string,
): { kind: "json"; value: unknown } | { kind: "unreadable"; problems: readonly string[] } {
  try {
    return { kind: "json", value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { kind: "unreadable", problems: [`not JSON: ${errorText(error)}`] };
  }
}

function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return name === "" ? "the file" : name.replace(/^\./, "");
}

function issueWords(issue: {
  readonly code: string;
  readonly message: string;
  readonly keys?: readonly string[];
}): string {
  if (issue.code === "unrecognized_keys")
    return `unknown field ${(issue.keys ?? []).map((key) => `"${key}"`).join(", ")}`;
  if (issue.message.endsWith("received undefined")) return "is missing";
  return issue.message.replace(/^Invalid input: /, "");
}

export interface ExplainCall extends PullCall {
  readonly observation?: string | undefined;
  readonly anew?: boolean | undefined;
}

export async function explain(call: ExplainCall, terminal: Terminal): Promise<number> {
  const tell = ({ seen, situation, actions, notes }: Explained): number => {
    terminal.out(call.json === true ? asJson({ situation, actions, notes }) : asText(seen, situation, actions));
    return 0;
  };
  if (call.observation !== undefined) return tell(await savedObservation(call.observation, terminal));
  if (call.repo === undefined && call.pull === undefined && call.event === undefined) {
    throw new UsageError(
      "explain needs the address of a pull, --repo owner/name --pull N, or --observation FILE.json (- for standard input).",
    );
  }
  return await withLooker({ ...call, refusesOtherSecret: call.anew !== true }, terminal, async (look) => {
    const looked = await look();
    if (looked.kind === "seen") return tell(looked);
    throw new UsageError(`the pull cannot be read: ${looked.why}`);
  });
}

interface Explained {
  /** Undefined for a saved observation: the secret that signed it is unknown. */
  readonly notes: NotesTrust | undefined;
  readonly seen: Observation;
  readonly situation: Situation;
  readonly actions: readonly Action[];
}

async function savedObservation(path: string, terminal: Terminal): Promise<Explained> {
  const read = readObservation(await readText(path, terminal));
  if (read.kind === "unreadable") {
    const lines = read.problems.map((problem) => `  ${problem}`);
    throw new UsageError([`${path} is not a readable observation:`, ...lines].join("\n"));
  }
  const situation = derive(read.observation);
  return { seen: read.observation, situation, actions: plan(read.observation, situation), notes: undefined };
}

async function readText(path: string, terminal: Terminal): Promise<string> {
  try {
    return await terminal.readFile(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function asJson({ situation, actions, notes }: Omit<Explained, "seen">): string {
  return `${JSON.stringify({ situation, flightPlan: situation.flightPlan, plan: actions, notes }, null, 2)}\n`;
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
    ...approvalNotes(situation.approval).map((line) => `  Note: ${line}.`),
    "",
    "Plan",
    ...(planned.length === 0 ? ["  nothing to do"] : planned),
    "",
  ].join("\n");
}
