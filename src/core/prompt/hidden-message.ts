/** A flag such as the one of Wales is written with tags behind a black flag. */
const flagSequence = /\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;

/** Invisible, and each stands for a letter of ASCII. */
const tagLetter = /[\u{e0020}-\u{e007e}]/gu;

const betweenLetters = /[a-z][\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff]+(?=[a-z])/gi;
const selectorRun = /[\u{e0100}-\u{e01ef}]{3}/u;
const fillerRun = /[\u115f\u1160\u200b-\u200f\u2060-\u206f\u3164\ufeff\uffa0]{8}/u;
const bidiOverride = /[\u202d\u202e]/u;
const bidiFrame = /[\u202a\u202b\u2066-\u2068]/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
// oxlint-disable-next-line no-control-regex -- the sequence by which a terminal hides what follows.
const concealed = /\u001b\[(?:\d+;)*8m/;
const farRight = / {100}\S/;

const tagsMin = 3;
const partedLettersMin = 4;

/** 2 for what has no other use, 1 for what may be a habit. Scripts, emoji and a byte order mark are writing. */
export function hiddenWeight(line: string): 0 | 1 | 2 {
  if (farRight.test(line)) return 1;
  if (!/[^\t -~]/.test(line)) return 0;
  const text = line.replace(flagSequence, "");
  const tags = text.match(tagLetter)?.length ?? 0;
  const parted = text.match(betweenLetters)?.length ?? 0;
  const isCertain =
    tags >= tagsMin ||
    parted >= partedLettersMin ||
    selectorRun.test(text) ||
    fillerRun.test(text) ||
    bidiOverride.test(text) ||
    concealed.test(text);
  if (isCertain) return 2;
  return bidiFrame.test(text) && !rightToLeft.test(text) ? 1 : 0;
}

/** Letters of tags as letters, and nothing between letters that cannot be seen. */
export function withHiddenRead(text: string): string {
  if (!/[^\t\n -~]/.test(text)) return text;
  return text
    .replace(tagLetter, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - tagsAt))
    .replace(/[\u034f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, "");
}

const tagsAt = 0xe0000;
