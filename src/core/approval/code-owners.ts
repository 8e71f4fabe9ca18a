import {
  matchesPath,
  type PathPattern,
  type PatternProblem,
  readPattern,
  type StepBudget,
} from "#core/approval/path-pattern.ts";
import { compareText } from "#core/compare-text.ts";
import { foldName } from "#core/fold-name.ts";

export type Owner =
  | { readonly kind: "person"; readonly login: string }
  | { readonly kind: "team"; readonly name: string }
  /** No forge tells the owner of an e-mail address, so no approval ever counts for it. */
  | { readonly kind: "email"; readonly address: string };

export interface CodeOwners {
  readonly rules: readonly OwnerRule[];
  /** GitHub skips them too. Each is told, because a skipped line leaves its paths to an earlier rule. */
  readonly invalid: readonly InvalidOwnerLine[];
}

export interface OwnerRule {
  readonly pattern: PathPattern;
  /** Empty: these paths have no owner, even if an earlier rule names one. */
  readonly owners: readonly Owner[];
}

export interface InvalidOwnerLine {
  readonly line: number;
  readonly why: PatternProblem | "owner";
}

/** GitHub does not read a larger file. */
export const codeOwnersBytesMax = 3_000_000;

/** No file that people keep has a third as many; each line takes a while to read. */
export const codeOwnersLinesMax = 50_000;

/** GitHub's dialect. What cannot be read is skipped and told. Undefined: too many lines. */
export function parseCodeOwners(text: string): CodeOwners | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/, codeOwnersLinesMax + 1);
  if (lines.length > codeOwnersLinesMax) return undefined;
  const rules: OwnerRule[] = [];
  const invalid: InvalidOwnerLine[] = [];
  for (const [index, line] of lines.entries()) {
    const [pattern, ...names] = wordsOf(line);
    if (pattern === undefined) continue;
    const read = readPattern(pattern);
    const owners = readOwners(names);
    if (read.kind === "invalid") invalid.push({ line: index + 1, why: read.why });
    else if (owners === undefined) invalid.push({ line: index + 1, why: "owner" });
    else rules.push({ pattern: read.pattern, owners });
  }
  return { rules, invalid };
}

/** Common files and the largest pulls stay far below it. */
export const ownerStepsMax = 20_000_000;

export interface OwnerIndex {
  /** The last rule that matches decides alone. What is found once the budget is used up means nothing. */
  ownersOf(path: string, budget: StepBudget): readonly Owner[];
}

/** Of a long file only few rules are held against a path. */
export function indexOwners({ rules }: CodeOwners): OwnerIndex {
  const root = newFolder();
  for (const [index, { pattern }] of rules.entries()) {
    let folder = root;
    for (const part of pattern.parts) {
      if (part.kind !== "literal") break;
      const known = folder.below.get(part.text) ?? newFolder();
      folder.below.set(part.text, known);
      folder = known;
    }
    folder.rules.push(index);
  }
  return {
    ownersOf: (path, budget) => {
      const segments = path.split("/");
      let last = -1;
      let folder: RuleFolder | undefined = root;
      for (const segment of [...segments, ""]) {
        if (folder === undefined) break;
        last = Math.max(last, lastMatch(rules, folder.rules, { segments, after: last, budget }));
        folder = folder.below.get(segment);
      }
      return rules[last]?.owners ?? [];
    },
  };
}

interface RuleFolder {
  readonly below: Map<string, RuleFolder>;
  readonly rules: number[];
}

function newFolder(): RuleFolder {
  return { below: new Map(), rules: [] };
}

function lastMatch(
  rules: readonly OwnerRule[],
  candidates: readonly number[],
  { segments, after, budget }: { segments: readonly string[]; after: number; budget: StepBudget },
): number {
  for (let at = candidates.length - 1; at >= 0 && budget.left >= 0; at--) {
    const index = candidates[at] ?? -1;
    const rule = rules[index];
    if (rule === undefined || index <= after) break;
    if (matchesPath(rule.pattern, segments, budget)) return index;
  }
  return -1;
}

/** One text for each set of owners, however it is written. */
export function ownersKey(owners: readonly Owner[]): string {
  return owners.map(describeOwner).sort(compareText).join(" ");
}

function describeOwner(owner: Owner): string {
  if (owner.kind === "email") return owner.address;
  return foldName(`@${owner.kind === "team" ? owner.name : owner.login}`);
}

/** GitHub does not honour `\#` at the start of a line; here it is the name that its writer meant. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let start = 0;
  for (let index = 0; index <= line.length; index++) {
    const character = line[index];
    if (character === "#" && start === index) return words;
    if (character === "\\") index++;
    else if (character === undefined || character === " " || character === "\t") {
      if (start < index) words.push(line.slice(start, index));
      start = index + 1;
    }
  }
  if (start < line.length) words.push(line.slice(start));
  return words;
}

/** GitHub skips the whole line when one name is no login, team or address. */
function readOwners(names: readonly string[]): readonly Owner[] | undefined {
  const owners = new Map<string, Owner>();
  for (const name of names) {
    const owner = readOwner(name);
    if (owner === undefined) return undefined;
    owners.set(describeOwner(owner), owner);
  }
  return [...owners.values()];
}

const loginPattern = /^@([A-Za-z0-9][A-Za-z0-9._-]*)$/;
const teamPattern = /^@([A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*)$/;
const emailPattern = /^[^@\s]+@[^@\s]+$/;

function readOwner(name: string): Owner | undefined {
  const login = loginPattern.exec(name)?.[1];
  if (login !== undefined) return { kind: "person", login };
  const team = teamPattern.exec(name)?.[1];
  if (team !== undefined) return { kind: "team", name: team };
  return emailPattern.test(name) ? { kind: "email", address: name } : undefined;
}
