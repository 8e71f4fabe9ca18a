import { columnsOf, cutLine } from "#core/terminal/visible-text.ts";

/** A word that is wider than the page is cut. */
export function wrapLine(text: string, columnsMax: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columnsMax) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = cutLine(word, columnsMax);
  }
  return [...lines, line];
}
