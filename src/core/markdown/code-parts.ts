export interface TextPart {
  readonly isCode: boolean;
  readonly text: string;
}

/** Only where all readers of Markdown agree, else null: what only seems to be code must still be made harmless. */
export function codeParts(text: string): readonly TextPart[] | null {
  if (/\\`|~~~/.test(text) || hasTable(text)) return null;
  const parts: TextPart[] = [];
  let fence: string | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^(`{3,})[\w+-]*[ \t]*\n?$/.exec(line)?.[1];
    const isEdge: boolean =
      mark !== undefined && (fence === null || (mark.length >= fence.length && line.trim() === mark));
    if (isEdge) {
      parts.push({ isCode: true, text: line });
      fence = fence === null ? (mark ?? null) : null;
    } else if (fence !== null) parts.push({ isCode: true, text: line });
    else {
      const spans = lineParts(line);
      if (spans === null) return null;
      // One by one: a megabyte of backticks has more of them than a call can have arguments.
      for (const span of spans) parts.push(span);
    }
  }
  return parts;
}

/** Cells of a table end at any bar, also within code. */
export function hasTable(text: string): boolean {
  // No blank can be read in two ways: a line of nothing else would take as long as its length squared.
  return text.includes("|") && /^[ \t>]*(?:[|:][ \t:]*)?-[-|: \t]*$/m.test(text);
}

function lineParts(line: string): readonly TextPart[] | null {
  const pieces = line.split("`");
  if (pieces.length % 2 === 0 || line.includes("``")) return null;
  return pieces.map((piece, index) => ({ isCode: index % 2 === 1, text: index % 2 === 1 ? `\`${piece}\`` : piece }));
}
