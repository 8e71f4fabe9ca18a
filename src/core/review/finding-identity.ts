import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { RawFinding } from "#core/model/finding.ts";
import { FindingId } from "#core/model/ids.ts";
import { type CodeOf, normaliseSnippet, readCodes } from "#core/review/finding-code.ts";
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
  codeOf: CodeOf = readCodes(findings),
): readonly FindingId[] {
  const ordinals = new Map<string, number>();
  const identities = new Map<number, FindingId>();
  const topDown = findings.map((finding, index) => ({ finding, index }));
  topDown.sort((left, right) => compareFindings(left.finding, right.finding) || left.index - right.index);
  for (const { finding, index } of topDown) {
    const key = keyOf(finding, codeOf(finding).text);
    const shortKey = codeNumberKey(finding, codeOf);
    let ordinal = ordinals.get(shortKey) ?? 0;
    let identity = identityOf(key, ordinal);
    while (taken.has(identity)) identity = identityOf(key, ++ordinal);
    ordinals.set(shortKey, ordinal + 1);
    identities.set(index, identity);
  }
  return findings.map((finding, index) => identities.get(index) ?? findingIdentity(finding, 0));
}

export function findingIdentity(finding: Identified, ordinal: number): FindingId {
  return identityOf(codeKey(finding), ordinal);
}

/** Cryptographic, since a crafted collision would hide a new finding behind one that was conceded. */
function identityOf(key: string, ordinal: number): FindingId {
  return FindingId.parse(bytesToHex(sha256(utf8ToBytes(`${key}#${ordinal}`))));
}

/**
 * Equal exactly for the findings of one rule on the same code of one file. As JSON, so that no text can pretend to be
 * the border between two parts, and lone surrogates stay apart, which UTF-8 would turn into one replacement character.
 */
export function codeKey(finding: Identified): string {
  return keyOf(finding, normaliseSnippet(finding.snippet));
}

/** The same by the number of the code, for findings that were read together. It stays short, however long the code is. */
export function codeNumberKey(finding: RawFinding, codeOf: CodeOf, path = finding.path): string {
  return keyOf({ ...finding, path }, codeOf(finding).number);
}

function keyOf({ rule, path, side }: Omit<Identified, "snippet">, code: string | number): string {
  return JSON.stringify([rule, path, side, code]);
}
