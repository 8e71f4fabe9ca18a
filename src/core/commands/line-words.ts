/** Without punctuation, a friendly sign at the end, and "please". */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map(withoutEnding)
    .filter((word) => word !== "" && word.toLowerCase() !== "please");
}

/** Other scripts and emoji have question marks of their own. */
export function isQuestion(text: string): boolean {
  return /[?\u00BF\u037E\u055E\u061F\u1367\u203D\u2047-\u2049\u2753\u2754\u2E2E\uFE56\uFF1F]/.test(text);
}

/** By hand: a pattern anchored at the end alone takes quadratic time on a long row of dots. */
function withoutEnding(word: string): string {
  let end = word.length;
  while (end > 0) {
    const start = isLowSurrogate(word, end - 1) ? end - 2 : end - 1;
    if (!endings.has(word.slice(start, end))) break;
    end = start;
  }
  return word.slice(0, end);
}

/** Only signs that agree: a thumb down behind a command says that it is not one. */
const endings: ReadonlySet<string> = new Set(
  ". , ; : ! ) … 🙏 👍 👌 🚀 🚢 🎉 ✅ ✨ ❤ 🙂 😀 😄 😊 \uFE0F 🏻 🏼 🏽 🏾 🏿".split(" "),
);

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0;
}
