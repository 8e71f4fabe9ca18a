import { readPathFilter } from "#core/files/path-filter.ts";
import { Untrusted } from "#core/model/ids.ts";
import { fenceWords } from "#core/prompt/fence.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import { shortPath } from "#core/words/short-path.ts";
import type { PromptPart } from "#ports/agent.ts";
import { builtInInstructions } from "#reviewers/model/built-in-briefs.ts";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";

/** So that what was answered can be traced to what was asked. */
export const reviewPromptVersion = "review 2";

export const rulesTitle = "the rules of the repository";

export interface PromptInput {
  readonly rules: string;
  readonly about: string;
  readonly around: string;
  readonly diff: string;
  readonly notShown: string;
}

/** The same for every role, question and dispute about a part: providers cache it, so nothing depends on the question. */
export function sharedParts({ rules, about, around, diff, notShown }: PromptInput): readonly PromptPart[] {
  return [
    { kind: "instructions", text: systemWords },
    ...dataPart(rulesTitle, rules),
    ...dataPart("what the author says", about),
    ...dataPart("not shown here", notShown),
    ...(around === "" ? [] : [codePart("unchanged code around the change", around)]),
    codePart("the diff", diff),
  ];
}

function codePart(title: string, text: string): PromptPart {
  return { kind: "data", title, text: Untrusted.parse(text), form: "code" };
}

function dataPart(title: string, text: string): readonly PromptPart[] {
  return text === "" ? [] : [{ kind: "data", title, text: Untrusted.parse(text) }];
}

const systemWords = [
  "You review a change in three turns: find, look, verify. Report defects that it brings in and that you can explain: wrong results, crashes, security holes, lost data, races, broken callers, tests that cannot fail. No style, praise or guesses.",
  'In the diff "=== path" begins a file and "@@ 12" says that the next line is line 12 of the new file; lines are marked + added, - removed, blank unchanged.',
  "Each finding: id, counted from 1 over all turns; rule, the kind of defect, such as missing-await; code, the one to five lines of the diff that cause it, copied exactly without marks; line, the number of the first; message: what goes wrong, when, how to mend it; fix: text to replace exactly those lines, or null; score: 9-10 exploit, data loss, outage; 7-8 must not be merged; 5-6 should be mended; 1-4 minor.",
  fenceWords,
].join("\n");

/** What it says about the role holds for all turns. */
export function findParts(role: string, brief: RoleBrief, paths: readonly string[]): readonly PromptPart[] {
  const { problemScore } = brief;
  const instructions = brief.instructions ?? builtInInstructions(role);
  const words = [
    `Your role: ${role}. ${instructions}`.trim(),
    ...pathWords(brief, paths),
    `Turn 1, find: read the diff. Leave out scores below ${problemScore}. summary: the change in one sentence. verdicts: [].`,
  ];
  return [{ kind: "instructions", text: words.join("\n") }];
}

function pathWords({ pathInstructions }: RoleBrief, paths: readonly string[]): readonly string[] {
  return pathInstructions
    .filter((one) => paths.some(readPathFilter(one.paths).matches))
    .map((one) => `For ${one.paths.join(", ")}: ${one.instructions}`);
}

export const batchParts: readonly PromptPart[] = [
  {
    kind: "instructions",
    text: "There is no turn 2 and there are no tools: judge by the diff alone, and report nothing that only other code could prove.",
  },
];

/** The other fields of this answer are ignored; saying so is not worth the words. */
export function lookParts(): readonly PromptPart[] {
  const words = "Turn 2, look beyond the diff with the tools: callers, assumptions, tests, history. New findings only.";
  return [{ kind: "instructions", text: words }];
}

export function verifyParts(unplaced: readonly number[]): readonly PromptPart[] {
  const words = [
    "Turn 3, verify: try to prove each finding wrong. A verdict for each, why in one sentence.",
    ...(unplaced.length === 0
      ? []
      : [`The code of ${unplaced.join(", ")} is not in the diff: give those again in findings, with an exact quote.`]),
  ];
  return [{ kind: "instructions", text: words.join("\n") }];
}

/** Before the last turn: an id of several findings would not tell which one is meant. */
export function renumberedParts(findings: readonly SaidFinding[]): readonly PromptPart[] {
  return dataPart(
    "new ids of findings that shared one",
    findings.map(({ id, rule, path }) => `${id}: ${rule.slice(0, ruleCharactersMax)}, ${shortPath(path)}`).join("\n"),
  );
}

const ruleCharactersMax = 60;
