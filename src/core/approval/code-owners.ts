import { matchesPath, type PathPattern, type PatternProblem, readPattern } from "#core/approval/path-pattern.ts";
import { compareText } from "#core/compare-text.ts";
import { foldName } from "#core/fold-name.ts";

export type Owner =
  | { readonly kind: "person"; readonly login: string }
  /** `organisation/name`. */
  | { readonly kind: "team"; readonly name: string }
  /** No forge tells whose address it is, so nobody's approval ever stands for it. */
  | { readonly kind: "email"; readonly address: string };

export interface CodeOwners {
  /** In the order of the file. */
  readonly rules: readonly OwnerRule[];
  /** Lines that GitHub skips as well. Each is told, because a skipped line leaves its paths to an earlier rule. */
  readonly invalid: readonly InvalidOwnerLine[];
}

export interface OwnerRule {
  readonly pattern: PathPattern;
  /** Empty: these paths have no owner, whatever an earlier rule says. */
  readonly owners: readonly Owner[];
}

export interface InvalidOwnerLine {
  /** From 1. */
  readonly line: number;
  readonly why: PatternProblem | "owner";
}

/** GitHub does not read a file of more than 3 MB. Here such a file is owned by nobody who could approve. */
export const codeOwnersCharactersMax = 3 * 1024 * 1024;

/** Reads a CODEOWNERS file in GitHub's dialect. Never fails: what cannot be read is skipped and told. */
export function parseCodeOwners(text: string): CodeOwners {
  const rules: OwnerRule[] = [];
  const invalid: InvalidOwnerLine[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
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

/** The last rule that matches decides alone. */
export function ownersOf(codeOwners: CodeOwners, path: string): readonly Owner[] {
  const segments = path.split("/");
  for (let index = codeOwners.rules.length - 1; index >= 0; index--) {
    const rule = codeOwners.rules[index];
    if (rule !== undefined && matchesPath(rule.pattern, segments)) return rule.owners;
  }
  return [];
}

/** One text for each set of owners, however it is written. */
export function ownersKey(owners: readonly Owner[]): string {
  return owners.map(describeOwner).sort(compareText).join(" ");
}

function describeOwner(owner: Owner): string {
  if (owner.kind === "email") return owner.address;
  return foldName(`@${owner.kind === "team" ? owner.name : owner.login}`);
}

/**
 * Cut at blanks that no backslash protects; escapes are kept for the pattern. A word that begins with `#` begins a comment.
 * GitHub documents that it does not honour `\#` at the start of a line; here it is the name that its writer meant.
 */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? "";
    if (character === "#" && word === "") break;
    if (character === "\\") word += character + (line[++index] ?? "");
    else if (character !== " " && character !== "\t") word += character;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return word === "" ? words : [...words, word];
}

/** Undefined when one of them is neither a login, nor a team, nor an address: then GitHub skips the whole line. */
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
