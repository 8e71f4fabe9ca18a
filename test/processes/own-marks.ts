/** How a text of Drover's reads to somebody who knows its marks, but not its secret. */
export interface OwnMarks {
  /** What the text is the effect of: two texts with the same one are the same thing said twice. */
  readonly effect: string | null;
  readonly kind: "managed" | "review" | "blanked" | "other";
}

export function readOwnMarks(body: string): OwnMarks {
  const head = body.split("\n", 3).join("\n");
  return { effect: /^<!-- drover:effect ([0-9a-f]{32}) -->\r?$/m.exec(head)?.[1] ?? null, kind: kindOf(body) };
}

function kindOf(body: string): OwnMarks["kind"] {
  const word = /^<!-- drover:(managed|review|blanked) /.exec(body)?.[1];
  return word === "managed" || word === "review" || word === "blanked" ? word : "other";
}

/** Which finding a remark on a line says, and at which head it was raised. */
export function readFindingMark(body: string): string | null {
  return /^<!-- drover:finding (\S+ [0-9a-f]{40,64}) -->/.exec(body)?.[1] ?? null;
}
