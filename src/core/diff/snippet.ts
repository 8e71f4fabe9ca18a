import { encodeText } from "#core/diff/decode-text.ts";
import type { Side } from "#core/diff/hunk.ts";

export type SnippetForm = Readonly<Record<Side, SnippetText>>;

export interface SnippetText {
  readonly lines: readonly SnippetLine[];
  /** Too little to be told from other code. Found only where it is claimed to be. */
  readonly isTrivial: boolean;
  /** Holds U+FFFD: it was quoted from a text that had lost some bytes. */
  readonly isLossy: boolean;
}

export interface SnippetLine {
  readonly exact: Uint8Array;
  readonly squeezed: Uint8Array;
  readonly text: string;
}

const snippetWordCharactersMin = 4;

/** The literal form first. Models paste markers or line numbers with code; what is found shows the right form. */
export function readSnippet(snippet: string): readonly SnippetForm[] {
  const literal = snippet.split("\n").map((line) => line.replace(/\r$/, ""));
  const unnumbered = stripNumbers(literal);
  const unmarked = stripMarkers(literal);
  const forms = [
    literalForm(literal),
    unmarked,
    unnumbered && literalForm(unnumbered),
    unnumbered && stripMarkers(unnumbered),
    unmarked && stripBoth(unmarked),
  ];
  return forms.filter((form) => form !== undefined).map(makeForm);
}

type RawForm = Readonly<Record<Side, readonly string[]>>;

function literalForm(lines: readonly string[]): RawForm {
  return { old: lines, new: lines };
}

/** Each side has its own lines. Undefined: no line has a marker. */
function stripMarkers(lines: readonly string[]): RawForm | undefined {
  if (!lines.some((line) => /^[-+]/.test(line))) return undefined;
  const body = lines.filter((line) => !line.startsWith("@@ "));
  const without = (marker: string): readonly string[] =>
    body.filter((line) => !line.startsWith(marker)).map((line) => line.replace(/^[-+ ]/, ""));
  return { old: without("+"), new: without("-") };
}

/** `12: code`, `12 | code`, `L12 code` or a number and a tab. Undefined: not every line has a number. */
function stripNumbers(lines: readonly string[]): readonly string[] | undefined {
  const stripped = lines.map((line) => (line.trim() === "" ? "" : numberedLine.exec(line)?.groups?.["code"]));
  return stripped.every((line) => line !== undefined) ? stripped : undefined;
}

const numberedLine = /^\s*L?\d{1,7}(?:\s*[:|] ?|→|\s|$)(?<code>.*)$/u;

function stripBoth(form: RawForm): RawForm | undefined {
  const old = stripNumbers(form.old);
  const next = stripNumbers(form.new);
  return old && next && { old, new: next };
}

function makeForm({ old, new: next }: RawForm): SnippetForm {
  const text = makeText(next);
  return { old: old === next ? text : makeText(old), new: text };
}

function makeText(lines: readonly string[]): SnippetText {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const kept = first === -1 ? [] : lines.slice(first, last + 1);
  return {
    lines: kept.map((text) => ({ text, exact: encodeText(text), squeezed: encodeText(squeeze(text)) })),
    isTrivial: isTrivial(kept.join("\n")),
    isLossy: kept.some((line) => line.includes("\uFFFD")),
  };
}

function isTrivial(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}_]/gu)) {
    count += 1;
    if (count === snippetWordCharactersMin) return false;
  }
  return true;
}

export function squeeze(text: string): string {
  return text.replaceAll(/[\t\v\f\r ]/g, "");
}
