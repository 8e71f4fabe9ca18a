import { byte, findLineEnd } from "#core/diff/byte-scan.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import { malformedDiff } from "#core/diff/diff-problem.ts";
import type { DiffScan } from "#core/diff/diff-scan.ts";
import { resolvePlainNames } from "#core/diff/file-names.ts";
import { type ReadFile, readFileBody } from "#core/diff/git-file.ts";
import { type ByteRange, readHeaderFields } from "#core/diff/header-fields.ts";
import type { NamePrefixes } from "#core/diff/name-prefix.ts";
import { isHunkStart } from "#core/diff/read-hunks.ts";
import { readWrittenName } from "#core/diff/written-name.ts";

/** Undefined: the line is no `---`, and nothing was consumed. */
export function readPlainFile(scan: DiffScan, prefixes: NamePrefixes | undefined): ReadFile | undefined {
  const { bytes, at: start } = scan;
  const read = readHeaderFields(bytes, scan.view, start);
  if (read.kind !== "fields" || !isHunkStart(bytes, read.end)) return undefined;
  const { "---": minusLine, "+++": plusLine } = read.fields;
  if (minusLine === undefined || plusLine === undefined) return undefined;
  const minus = readWrittenName(bytes, minusLine);
  const plus = readWrittenName(bytes, plusLine);
  if (minus === undefined || plus === undefined) return malformedDiff("bad_name", start);
  const hunk = decodeText(bytes.subarray(read.end, findLineEnd(bytes, read.end)));
  const isAdded = minus.isDevNull || (hunk.startsWith("@@ -0,0 ") && isEpoch(bytes, minusLine));
  const isDeleted = plus.isDevNull || (/^@@ \S+ \+0,0 /.test(hunk) && isEpoch(bytes, plusLine));
  if (isAdded && isDeleted) return malformedDiff("contradictory_header", start);
  const resolved = resolvePlainNames({ minus, plus }, prefixes);
  if (resolved.kind !== "names") return malformedDiff(resolved.why, start);
  scan.at = read.end;
  const change = isAdded ? "added" : isDeleted ? "deleted" : "unstated";
  const { names } = resolved;
  return readFileBody(
    scan,
    { kind: "header", change, names, facts: noFacts, hasNameLines: true, end: read.end },
    start,
  );
}

const noFacts = {
  oldMode: undefined,
  newMode: undefined,
  similarity: undefined,
  dissimilarity: undefined,
  oldBlob: undefined,
  newBlob: undefined,
};

/** Where GNU diff has no file on one side (`-N`) it gives the other's name and the beginning of time. */
function isEpoch(bytes: Uint8Array, line: ByteRange): boolean {
  const text = decodeText(bytes.subarray(line.from, line.to));
  const stamp = epochShape.exec(text.slice(text.indexOf(tab) + 1));
  if (stamp === null) return false;
  const [, day, hours, minutes, sign, zoneHours, zoneMinutes] = stamp;
  const local = Number(hours) * 60 + Number(minutes) - (day === "1969-12-31" ? 24 * 60 : 0);
  const zone = Number(zoneHours) * 60 + Number(zoneMinutes);
  return local === (sign === "-" ? -zone : zone);
}

const tab = String.fromCharCode(byte.tab);
const epochShape = /^(1970-01-01|1969-12-31) (\d\d):(\d\d):00(?:\.0+)? ([-+])(\d\d):?(\d\d)$/;
