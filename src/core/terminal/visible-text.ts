/** What could move the cursor, change a colour, reorder or hide is shown by its code point. One line in, one out. */
export function visibleLine(text: string): string {
  return text.replaceAll("\t", tab).replaceAll(hidden, (character, index: number, whole: string) => {
    return isWriting(character, whole.slice(Math.max(0, index - 2), index)) ? character : codePoint(character);
  });
}

/** A tab would be as wide as the terminal likes. */
const tab = "    ";

/** Controls, formats, halves of characters, private and unassigned ones, separators, and all that takes no room. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** An emoji may be followed by its presentation. */
function isWriting(character: string, before: string): boolean {
  return character === "\ufe0f" && /\p{Emoji}$/u.test(before);
}

function codePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Harmless on a terminal; the same to a parser. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(hidden, (character) =>
    character === "\n" ? character : escapes(character),
  );
}

function escapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** East Asian characters and emoji take two columns, marks on others none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** With a sign that something was cut off. */
export function cutLine(text: string, columnsMax: number): string {
  let columns = 0;
  let kept = "";
  for (const character of text) {
    columns += widthOf(character);
    // Marks take no room, and one letter can carry any number of them.
    if (columns > columnsMax - 1 || kept.length > columnsMax * unitsPerColumnMax) {
      return columnsOf(text) <= columnsMax && text.length <= columnsMax * unitsPerColumnMax ? text : `${kept}…`;
    }
    kept += character;
  }
  return text;
}

const unitsPerColumnMax = 8;
const marks = /^[\p{M}\ufe0f]$/u;
const wide =
  /^(?:[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}])$/u;

function widthOf(character: string): 0 | 1 | 2 {
  if (character <= "\u02ff") return 1;
  if (marks.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
