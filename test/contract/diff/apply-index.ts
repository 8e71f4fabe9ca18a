import { inflateSync } from "node:zlib";
import type { Diff } from "#core/diff/diff.ts";
import type { BinaryBlock, DiffFile } from "#core/diff/diff-file.ts";
import { iterateLines } from "#core/diff/diff-lines.ts";
import { indexLines } from "#core/diff/line-index.ts";

/** Makes the new content of a file out of the old one and our index, checking each old line that the diff shows. */
export function applyIndex(diff: Diff, file: DiffFile, old: Buffer): Buffer {
  const oldLines = splitLines(old);
  const lines = indexLines(diff, file);
  const made: Uint8Array[] = [];
  let next = 1;
  for (const [index, line] of [...iterateLines(diff, file)].entries()) {
    const at = lines.oldNumbers[index] ?? 0;
    const content = Buffer.concat([
      diff.bytes.subarray(line.start, line.end),
      Buffer.from(line.hasNewline ? "\n" : ""),
    ]);
    made.push(...oldLines.slice(next - 1, at - 1));
    next = at;
    if (line.kind !== "added") {
      if (!oldLines[at - 1]?.equals(content)) throw new Error(`old line ${at} of ${file.path} is not as shown`);
      next = at + 1;
    }
    if (line.kind !== "removed") made.push(content);
  }
  return Buffer.concat([...made, ...oldLines.slice(next - 1)]);
}

function splitLines(content: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(10, at);
    const after = end === -1 ? content.length : end + 1;
    lines.push(content.subarray(at, after));
    at = after;
  }
  return lines;
}

/** What a block of a binary patch holds. */
export function inflateBlock(diff: Diff, block: BinaryBlock): Buffer {
  const lines = Buffer.from(diff.bytes.subarray(block.start, block.end)).toString("latin1").trimEnd().split("\n");
  return inflateSync(Buffer.concat(lines.map(decodeLine)));
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

function decodeLine(line: string): Buffer {
  const letter = line.charCodeAt(0);
  const length = letter <= 90 ? letter - 64 : letter - 70;
  const groups = line.slice(1).match(/.{5}/g) ?? [];
  const decoded = Buffer.alloc(groups.length * 4);
  for (const [index, group] of groups.entries()) {
    const value = Array.from(group).reduce((sum, digit) => sum * 85 + alphabet.indexOf(digit), 0);
    decoded.writeUInt32BE(value, index * 4);
  }
  return decoded.subarray(0, length);
}
