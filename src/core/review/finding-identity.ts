import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { RawFinding } from "#core/model/finding.ts";
import { FindingId } from "#core/model/ids.ts";
import { type CodeOf, normaliseSnippet, readCodes } from "#core/review/finding-code.ts";
import { compareFindings } from "#core/review/finding-order.ts";

/** No line number: it moves with every line that is added above. */
export type Identified = Pick<RawFinding, "rule" | "path" | "side" | "snippet">;

/** Equal code of one rule in one file gets an ordinal from the top; taken ordinals are passed over. */
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

/** JSON, so that no text can pose as a border, and lone surrogates stay apart, unlike in UTF-8. */
export function codeKey(finding: Identified): string {
  return keyOf(finding, normaliseSnippet(finding.snippet));
}

/** By the number of the code, so the key stays short. For findings that were read together. */
export function codeNumberKey(finding: RawFinding, codeOf: CodeOf, path = finding.path): string {
  return keyOf({ ...finding, path }, codeOf(finding).number);
}

function keyOf({ rule, path, side }: Omit<Identified, "snippet">, code: string | number): string {
  return JSON.stringify([rule, path, side, code]);
}
