import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { RawFinding } from "#core/model/finding.ts";
import { FindingId } from "#core/model/ids.ts";
import { compareFindings } from "#core/review/finding-order.ts";

/** What an identity is made of. No line number: it moves with every line that is added above. */
export type Identified = Pick<RawFinding, "rule" | "path" | "side" | "snippet">;

/**
 * One identity for each finding, in the order given. Equal code of one rule in one file is told apart by an ordinal,
 * counted from the top of the file; ordinals whose identity is taken already are passed over.
 */
export function identifyFindings(
  findings: readonly RawFinding[],
  taken: ReadonlySet<FindingId> = new Set(),
): readonly FindingId[] {
  const ordinals = new Map<string, number>();
  const identities = new Map<number, FindingId>();
  const topDown = findings.map((finding, index) => ({ finding, index }));
  topDown.sort((left, right) => compareFindings(left.finding, right.finding) || left.index - right.index);
  for (const { finding, index } of topDown) {
    const code = codeKey(finding);
    let ordinal = ordinals.get(code) ?? 0;
    let identity = findingIdentity(finding, ordinal);
    while (taken.has(identity)) identity = findingIdentity(finding, ++ordinal);
    ordinals.set(code, ordinal + 1);
    identities.set(index, identity);
  }
  return findings.map((finding, index) => identities.get(index) ?? findingIdentity(finding, 0));
}

/** Cryptographic, since a crafted collision would hide a new finding behind one that was conceded. */
export function findingIdentity(finding: Identified, ordinal: number): FindingId {
  return FindingId.parse(bytesToHex(sha256(utf8ToBytes(`${codeKey(finding)}#${ordinal}`))));
}

/**
 * Equal exactly for the findings of one rule on the same code of one file. As JSON, so that no text can pretend to be
 * the border between two parts, and lone surrogates stay apart, which UTF-8 would turn into one replacement character.
 */
export function codeKey({ rule, path, side, snippet }: Identified): string {
  return JSON.stringify([rule, path, side, normaliseSnippet(snippet)]);
}

/**
 * Code without its indentation, trailing blanks and empty lines. Line ends stay: `// note` above `run()` must not equal
 * `// note run()`, which runs nothing. Only blanks and tabs are dropped, because other invisible characters are
 * something that findings are about.
 */
export function normaliseSnippet(snippet: string): string {
  return snippet
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(/[ \t\v\f]+/g, " ").replaceAll(/^ | $/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}
