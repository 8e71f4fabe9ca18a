/**
 * Meant to be too high, never too low (figures in docs/decisions/prompts.md). No tokenizer of npm stays bounded on a
 * line of one repeated character, and each provider counts differently.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  let run = 0;
  let last: Kind = kind.blank;
  for (let index = 0; index < text.length; index += 1) {
    const here = kindOf(text.charCodeAt(index));
    // A capital and the small letters behind it are one word.
    if (here === last || (here === kind.lower && last === kind.upper && run === 1)) {
      run += 1;
    } else {
      quarters += costOf(last, run) + costOfChange(last, here);
      run = 1;
    }
    last = here;
  }
  return Math.ceil((quarters + costOf(last, run)) / 4);
}

const kind = {
  lower: 0,
  upper: 1,
  digit: 2,
  blank: 3,
  tab: 4,
  newline: 5,
  sign: 6,
  /** Latin letters with marks. */
  accented: 7,
  /** Greek, Cyrillic, Hebrew, Arabic, the scripts of India, Thai, Georgian: several letters to a token. */
  letter: 8,
  /** Scripts with about a token for each letter, and typographic signs. */
  wide: 9,
  /** Whatever a vocabulary may have to spell byte by byte; half of an emoji. */
  rare: 10,
} as const;
type Kind = (typeof kind)[keyof typeof kind];

function kindOf(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return kind.lower;
  if (code === 0x20) return kind.blank;
  if (code >= 0x41 && code <= 0x5a) return kind.upper;
  if (code >= 0x30 && code <= 0x39) return kind.digit;
  if (code === 0x0a || code === 0x0d) return kind.newline;
  if (code === 0x09) return kind.tab;
  if (code < 0x80) return kind.sign;
  if (code < 0x370 || (code >= 0x1e00 && code <= 0x1eff)) return kind.accented;
  if (code < 0x700 || (code >= 0x900 && code <= 0xe7f) || (code >= 0x10a0 && code <= 0x10ff)) return kind.letter;
  return isWide(code) ? kind.wide : kind.rare;
}

function isWide(code: number): boolean {
  return (
    (code >= 0xe80 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0x2000 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    code >= 0xff00
  );
}

/** In quarters of a token. In twelve languages up to six letters, three digits or three signs are mostly one token. */
function costOf(of: Kind, run: number): number {
  switch (of) {
    case kind.lower:
      return run <= wordLettersMax ? 4 + Math.max(0, run - 4) : 2.5 * run;
    case kind.upper:
      return run <= wordLettersMax ? 4 + 2 * Math.max(0, run - 2) : 2.5 * run;
    case kind.digit:
    case kind.newline:
      return 4 * Math.ceil(run / 3);
    case kind.blank:
      return run <= 1 ? 0 : 4 * Math.ceil(run / 16);
    case kind.tab:
      return 4 * Math.ceil(run / 4);
    case kind.sign:
      return run <= 3 ? 4 : 2.5 * run;
    case kind.accented:
      return 5 * run;
    case kind.letter:
      return 2 * run + 2;
    case kind.wide:
      return 6 * run;
    default:
      return 12 * run;
  }
}

/** A longer run of letters is no word but data, such as a key. */
const wordLettersMax = 16;

/** A blank joins the word behind it, and never a number. Keys and hashes change between letters and digits. */
function costOfChange(from: Kind, to: Kind): number {
  if (from === kind.blank) return to === kind.digit ? 4 : 0;
  return from <= kind.digit && to <= kind.digit ? 1.5 : 0;
}
