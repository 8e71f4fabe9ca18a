/**
 * A lower bound for any tokenizer, to prove that a text was not read whole. Words, numbers and runs of signs are a
 * token or more each; a sign may join the word behind, and what is not ASCII anything beside it.
 */
export function fewestTokens(text: string): number {
  let tokens = 0;
  let last: Kind = "blank";
  for (let index = 0; index < text.length; index += 1) {
    const here = kindOf(text.charCodeAt(index));
    if (here === "word" && last !== "word" && last !== "glue") tokens += 1;
    // Counted at its end: two signs or more, or one that no word follows.
    if (here === "sign" && last !== "glue") {
      const next = index + 1 < text.length ? kindOf(text.charCodeAt(index + 1)) : "blank";
      if (next === "blank" || (next === "word" && last === "sign")) tokens += 1;
    }
    // What is glued to something stays glued up to the next blank.
    last = last === "glue" && here !== "blank" ? "glue" : here;
  }
  return tokens;
}

type Kind = "word" | "sign" | "blank" | "glue";

function kindOf(code: number): Kind {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return "blank";
  // An apostrophe joins, as in `don't`.
  if (code >= 0x7f || code < 0x20 || code === 0x27) return "glue";
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return isLetter || (code >= 0x30 && code <= 0x39) ? "word" : "sign";
}
