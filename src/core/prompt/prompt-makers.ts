import { encodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";

export interface DiffFileSketch {
  readonly path: string;
  readonly hunks: readonly (readonly string[])[];
  readonly kind?: "added" | "modified" | "deleted" | "binary";
}

export function aFile(path: string, ...lines: readonly string[]): DiffFileSketch {
  return { path, hunks: [lines] };
}

export function diffText(files: readonly DiffFileSketch[]): string {
  return files.map(fileText).join("");
}

export function aDiff(files: readonly DiffFileSketch[]): Diff {
  const outcome = parseDiff(encodeText(diffText(files)));
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

function fileText({ path, hunks, kind = "modified" }: DiffFileSketch): string {
  const head = [`diff --git a/${path} b/${path}`];
  if (kind === "added") head.push("new file mode 100644");
  if (kind === "deleted") head.push("deleted file mode 100644");
  if (kind === "binary") head.push("index 1111111..2222222 100644", `Binary files a/${path} and b/${path} differ`);
  if (kind !== "binary" && hunks.length > 0) {
    head.push(`--- ${kind === "added" ? "/dev/null" : `a/${path}`}`);
    head.push(`+++ ${kind === "deleted" ? "/dev/null" : `b/${path}`}`, ...hunkLines(hunks));
  }
  return head.map((line) => `${line}\n`).join("");
}

function hunkLines(hunks: readonly (readonly string[])[]): readonly string[] {
  const at = { old: 1, new: 1 };
  return hunks.flatMap((lines) => {
    const count = { old: sideCount(lines, "+"), new: sideCount(lines, "-") };
    const range = (side: "old" | "new"): string =>
      count[side] === 0 ? `${at[side] - 1},0` : `${at[side]},${count[side]}`;
    const text = [`@@ -${range("old")} +${range("new")} @@`, ...lines];
    at.old += count.old + 100;
    at.new += count.new + 100;
    return text;
  });
}

function sideCount(lines: readonly string[], without: string): number {
  return lines.filter((line) => !line.startsWith(without)).length;
}
