/** A word that is too long has a line of its own. An item of a list hangs below its words. */
export function wrapWords(text: string, columnsMax: number, hangColumns = 0): readonly string[] {
  const margin = /^ */.exec(text)?.[0] ?? "";
  const hanging = margin + " ".repeat(/^ *(?:- |\d+\. )/.test(text) ? 2 : hangColumns);
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(/(?<=\S) /)) {
    const longer = line === "" ? `${margin}${word}` : `${line} ${word}`;
    if (line === "" || longer.length <= columnsMax) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = `${hanging}${word}`;
  }
  return [...lines, line];
}
