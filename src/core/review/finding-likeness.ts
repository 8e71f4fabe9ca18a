import type { RawFinding } from "#core/model/finding.ts";
import type { FindingCode } from "#core/review/finding-code.ts";

/** Two snippets that share so many of their words are the same code after an edit. */
const snippetOverlapMin = 0.7;
/** Two messages that share so many of their words say the same thing. */
const messageOverlapMin = 0.5;
/** A lone bracket or keyword is part of everything and shows nothing. */
const containedWordsMin = 2;

/** Every pair on a minified line is compared, at up to the square of the length, so only the start is. */
export const likenessCharactersMax = 1_000;

export interface Traits {
  readonly rule: string;
  readonly code: string;
  readonly codeWords: ReadonlySet<string>;
  readonly messageWords: ReadonlySet<string>;
}

export function traitsOf(
  { rule, message }: Pick<RawFinding, "rule" | "message">,
  { text }: Pick<FindingCode, "text">,
): Traits {
  const code = text.slice(0, likenessCharactersMax);
  return {
    rule,
    code,
    codeWords: wordsOf(code),
    messageWords: wordsOf(message.slice(0, likenessCharactersMax).toLowerCase()),
  };
}

export function likeness(left: Traits, right: Traits): number {
  const code = codeLikeness(left, right);
  if (code === 0) return 0;
  if (left.rule === right.rule) return 1 + code;
  return overlap(left.messageWords, right.messageWords) >= messageOverlapMin ? code : 0;
}

function codeLikeness(left: Traits, right: Traits): number {
  if (left.code === right.code) return 1;
  const shared = overlap(left.codeWords, right.codeWords);
  if (shared >= snippetOverlapMin) return shared;
  return contains(left, right) || contains(right, left) ? snippetOverlapMin : 0;
}

function contains(whole: Traits, part: Traits): boolean {
  return part.codeWords.size >= containedWordsMin && whole.code.includes(part.code);
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / (left.size + right.size - shared);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu));
}
