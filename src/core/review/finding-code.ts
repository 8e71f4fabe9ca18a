import { compareText } from "#core/compare-text.ts";
import type { RawFinding } from "#core/model/finding.ts";

export interface FindingCode {
  readonly text: string;
  readonly number: number;
}

export type CodeOf = (finding: RawFinding) => FindingCode;

/** By sorting and not by a map: the engine hashes a text beyond 16,383 characters by its length alone. */
export function readCodes(findings: readonly RawFinding[]): CodeOf {
  const texts = findings.map((finding) => ({ finding, text: normaliseSnippet(finding.snippet) }));
  texts.sort((left, right) => left.text.length - right.text.length || compareText(left.text, right.text));
  const codes = new Map<RawFinding, FindingCode>();
  let last: FindingCode = { text: "", number: 0 };
  for (const { finding, text } of texts) {
    if (text !== last.text) last = { text, number: last.number + 1 };
    codes.set(finding, last);
  }
  return (finding) => {
    const code = codes.get(finding);
    if (code === undefined) throw new Error("readCodes: this finding was not among those that were read");
    return code;
  };
}

/** Line ends stay: `// note` above `run()` is not `// note run()`. Other invisible characters may be the finding. */
export function normaliseSnippet(snippet: string): string {
  return snippet
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(/[ \t\v\f]+/g, " ").replaceAll(/^ | $/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}

export function isBlankSnippet(snippet: string): boolean {
  return !/[^ \t\v\f\r\n]/.test(snippet);
}
