import { formCharactersMin, secretForms } from "#core/secrets/secret-forms.ts";
import { type NamedSecret, secretParts, secretPlaceholder } from "#core/secrets/secret-parts.ts";
import { type TextView, textViews } from "#core/secrets/text-views.ts";

/** Nothing in it can be printed. */
export interface SecretMasker {
  /** In any of their forms. Lines stay lines. A text without secrets does not change. */
  readonly mask: (text: string) => string;
}

export interface LearntSecrets {
  readonly known: SecretMasker;
  readonly unfit: readonly { readonly name: string; readonly why: string }[];
}

export const noSecrets: SecretMasker = { mask: (text) => text };

/** Half of a key is already too much, so parts are searched. Shorter parts begin like all keys (`sk-ant-api03-`). */
const pieceCharacters = 16;

export function createSecretMasker(secrets: readonly NamedSecret[]): LearntSecrets {
  const pieces = new Map<number, Set<string>>();
  const unfit: { readonly name: string; readonly why: string }[] = [];
  for (const { name, value } of secrets) {
    const found = secretParts(value);
    if (found.kind === "unfit") unfit.push({ name, why: found.why });
    else for (const part of found.parts) for (const form of secretForms(part)) addPieces(pieces, form);
  }
  if (pieces.size === 0) return { known: noSecrets, unfit };
  const search: Search = { pieces: [...pieces], starts: startsOf(pieces) };
  return { known: { mask: (text) => maskAll(text, search) }, unfit };
}

interface Search {
  readonly pieces: readonly (readonly [number, ReadonlySet<string>])[];
  /** A bit for what each form begins with: most places of a text are done with one look. */
  readonly starts: Uint8Array;
}

function addPieces(pieces: Map<number, Set<string>>, form: string): void {
  const length = Math.min(form.length, pieceCharacters);
  const known = pieces.get(length) ?? new Set();
  for (let at = 0; at + length <= form.length; at++) known.add(form.slice(at, at + length));
  pieces.set(length, known);
}

const startBits = 20;

function startsOf(pieces: ReadonlyMap<number, ReadonlySet<string>>): Uint8Array {
  const starts = new Uint8Array(2 ** (startBits - 3));
  for (const known of pieces.values()) {
    for (const piece of known) {
      const start = startAt(unitsOf(piece), 0);
      starts[start >> 3] = (starts[start >> 3] ?? 0) | (1 << (start & 7));
    }
  }
  return starts;
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

function startAt(units: Uint16Array, at: number): number {
  const first = (units[at] ?? 0) | ((units[at + 1] ?? 0) << 16);
  const second = (units[at + 2] ?? 0) | ((units[at + 3] ?? 0) << 16);
  return Math.imul(Math.imul(first, 0x85_eb_ca_6b) ^ second, 0x9e_37_79_b1) >>> (32 - startBits);
}

/** The rest of the text may form a secret once more, so the search repeats until it finds none. */
function maskAll(text: string, search: Search): string {
  if (text.length < formCharactersMin) return text;
  let masked = text;
  for (;;) {
    const spans = textViews(masked).flatMap((view) => spansIn(view, search));
    if (spans.length === 0) return masked;
    masked = replaceSpans(masked, spans);
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spansIn({ units, from, to }: TextView, { pieces, starts }: Search): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at <= units.length - formCharactersMin; at++) {
    const start = startAt(units, at);
    if (((starts[start >> 3] ?? 0) & (1 << (start & 7))) === 0) continue;
    const length = longestAt(units, at, pieces);
    if (length > 0) addSpan(spans, { from: from[at] ?? 0, to: to[at + length - 1] ?? 0 });
  }
  return spans;
}

function longestAt(units: Uint16Array, at: number, pieces: Search["pieces"]): number {
  const text = String.fromCharCode(...units.subarray(at, at + pieceCharacters));
  let longest = 0;
  for (const [length, known] of pieces) {
    if (length > longest && known.has(text.slice(0, length))) longest = length;
  }
  return longest;
}

function addSpan(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last === undefined || from > last.to) spans.push({ from, to });
  else spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to) };
}

/** Breaks of lines stay: places in a text are told by its lines. */
function replaceSpans(text: string, found: readonly Span[]): string {
  const spans: Span[] = [];
  for (const span of found.toSorted((left, right) => left.from - right.from)) addSpan(spans, span);
  let written = "";
  let done = 0;
  for (const { from, to } of spans) {
    const breaks = text.slice(from, to).replace(/[^\n]/g, "");
    written += text.slice(done, from) + secretPlaceholder + breaks;
    done = to;
  }
  return written + text.slice(done);
}
