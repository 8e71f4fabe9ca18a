import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const conflictMarker: Rule = {
  name: "conflict-marker",
  title: "Merge conflict left in",
  score: 10,
  catches:
    "The markers that git writes into a file with a conflict: a whole conflict anywhere, a single leftover marker outside of prose. A line of `=======` alone is a heading in some languages and means nothing.",
  example: "<<<<<<< HEAD",
  scope: "everything",
  applies: () => true,
  check: findConflicts,
};

type Marker = "start" | "middle" | "end";

const advice = "Decide which side is right, and remove the markers.";

/** At the first marker: the reader sees the others below it. */
function findConflicts(file: ChangedFile): readonly Hit[] {
  const marked = file.added.flatMap((line) => {
    const marker = markerOf(line);
    return marker === null ? [] : [{ line, marker }];
  });
  const hits: Hit[] = [];
  for (let index = 0; index < marked.length; index += 1) {
    const { line, marker } = marked[index] ?? {};
    if (line === undefined) continue;
    const isWhole = marker === "start" && marked[index + 1]?.marker === "middle" && marked[index + 2]?.marker === "end";
    if (isWhole) {
      const last = marked[index + 2]?.line.number ?? line.number;
      hits.push(say(line, `A merge conflict was committed, up to line ${last}. ${advice}`));
      index += 2;
    } else if (marker !== "middle" && file.language !== "prose") {
      hits.push(say(line, `A marker of a merge conflict was left behind. ${advice}`));
    }
  }
  return hits;
}

function say(line: Line, message: string): Hit {
  return hitLine(line.number, { score: 10, message });
}

function markerOf({ text }: Line): Marker | null {
  if (/^<{7}(?: \S|$)/.test(text)) return "start";
  if (/^>{7}(?: \S|$)/.test(text)) return "end";
  return text === "=======" ? "middle" : null;
}
