import type { HeadSha } from "#core/model/ids.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import type { CheckRunNode, StatusNode } from "#forges/github/github-schema.ts";
import type { FetchedPull, Forge, GateAnnotation } from "#ports/forge.ts";

type Gate = NonNullable<FetchedPull["gate"]>;
type GateRequest = Parameters<Forge["setGate"]>[0];

/** A status cannot say "neutral": it is a success whose words begin so. */
const neutralWords = "neutral: ";

export function gateStatus(name: string, { state, words }: GateRequest): Readonly<Record<string, unknown>> {
  const said = state === "neutral" ? neutralWords + words : words;
  return {
    context: name,
    state: state === "neutral" ? "success" : state,
    description: cutAt(said, githubLimits.statusCharactersMax),
  };
}

export interface GateRun extends Readonly<Record<string, unknown>> {
  readonly output: { readonly title: string; readonly summary: string };
}

/** A title that is too long is refused, and the run would hang: the whole words are in the summary. */
export function gateCheckRun(name: string, { head, state, words }: GateRequest): GateRun {
  return {
    name,
    head_sha: head,
    ...(state === "pending" ? { status: "in_progress" } : { status: "completed", conclusion: state }),
    output: {
      title: cutAt(words.replaceAll(/\s+/g, " "), githubLimits.checkTitleCharactersMax),
      summary: cutAt(words, githubLimits.checkSummaryCharactersMax),
    },
  };
}

export function gateAnnotation({ path, lines, level, words }: GateAnnotation): Readonly<Record<string, unknown>> {
  return { path, start_line: lines.first, end_line: lines.last, annotation_level: level, message: words };
}

export function readGateStatus({ state, description }: StatusNode, head: HeadSha): Gate {
  const words = description ?? "";
  if (state !== "SUCCESS") return { head, state: state === "PENDING" ? "pending" : "failure", words };
  if (!words.startsWith(neutralWords)) return { head, state: "success", words };
  return { head, state: "neutral", words: words.slice(neutralWords.length) };
}

const conclusions: ReadonlyMap<string, Gate["state"]> = new Map([
  ["SUCCESS", "success"],
  ["NEUTRAL", "neutral"],
  ["SKIPPED", "neutral"],
]);

/** A person may have cancelled or repeated it: then it is neither success nor neutral. */
export function readGateCheckRun({ status, conclusion, summary }: CheckRunNode, head: HeadSha): Gate {
  const words = summary ?? "";
  if (status !== "COMPLETED") return { head, state: "pending", words };
  return { head, state: conclusions.get(conclusion ?? "") ?? "failure", words };
}

function cutAt(words: string, charactersMax: number): string {
  if (words.length <= charactersMax) return words;
  const kept = words.slice(0, charactersMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
