import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type NamedSecret, secretParts, secretPlaceholder } from "#core/secrets/secret-parts.ts";
import { toSecretSearchText } from "#core/secrets/secret-search-text.ts";
import { signOfByte, type TextView, textViews } from "#core/secrets/text-views.ts";

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

/** Without white space. Marks around single characters are not here: texts are read without them (text-views.ts). */
function secretForms(part: string): ReadonlySet<string> {
  const bytes = utf8ToBytes(part);
  const characters = Array.from(part);
  const plain = [
    part,
    characters.toReversed().join(""),
    // Percent signs stand before bytes, not before characters.
    Array.from(bytes, signOfByte).join(""),
  ];
  const encoded = [...bytesIn(part), bytes].flatMap((one) => [...hexForms(one), ...base64Forms(one)]);
  const withoutSpace = [...plain, ...encoded].map(toSecretSearchText);
  return new Set(withoutSpace.filter((form) => form.length >= formCharactersMin));
}

/** Nothing shorter comes of a secret that is looked for at all. */
const formCharactersMin = 8;

/** A key in hex is its bytes, and lines may end in two ways. */
function bytesIn(part: string): readonly Uint8Array[] {
  const isHex = part.length >= hexDigitsMin && part.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(part);
  const raw = isHex ? [Uint8Array.from(part.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))] : [];
  return part.includes("\n") ? [...raw, utf8ToBytes(part.replaceAll("\n", "\r\n"))] : raw;
}

/** Of fewer bytes the forms would be too short to be told from other text. */
const hexDigitsMin = 32;

function hexForms(bytes: Uint8Array): readonly string[] {
  const hex = bytesToHex(bytes);
  return [hex, hex.toUpperCase()];
}

/** The base64 of whatever it is part of: at each of three places within a group of bytes. */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const form = base64Core(bytes, before);
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Characters at the ends hold bits of the neighbouring bytes, so they are left out. */
function base64Core(bytes: Uint8Array, before: number): string {
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + bytes.length) * 8) / 6);
  return Array.from({ length: end - first }, (_, index) => {
    const bit = (first + index) * 6 - before * 8;
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    return alphabet[(pair >> (10 - (bit & 7))) & 63];
  }).join("");
}
