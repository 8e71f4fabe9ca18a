import type { AccountId, HeadSha, ThreadId } from "#core/model/ids.ts";
import { suggestedPath, textAt } from "./content.ts";
import type { World } from "./world.ts";

/** What people suggested, and what became of it. */
export interface SuggestionTruth {
  readonly made: Suggestion[];
  /** By its thread: who applied a suggestion, and in which commit. */
  readonly applied: Map<ThreadId, Application>;
}

export interface Application {
  readonly by: string;
  readonly commit: HeadSha;
  /** The push cannot be explained without it. */
  readonly isCertain: boolean;
}

export interface Suggestion {
  readonly pull: number;
  readonly thread: ThreadId;
  readonly by: AccountId;
  /** How many facts were known when it was made: later ones may touch its lines. */
  readonly factsBefore: number;
  readonly commit: HeadSha;
  readonly side: "old" | "new";
  /** The index of the first line that it replaces, in that commit. */
  readonly first: number;
  readonly before: readonly string[];
  /** What comes into their place; null where its words hold no suggestion, or several. */
  readonly after: readonly string[] | null;
}

/** What the pull removes, and what it puts into its place: with lines that read alike. */
export const removedText = "old one\nold two\nold three\nold four\n";
export const firstText = [1, 2, 3, 4].map((n) => `function f${n}() {\n  return ${n};\n}\n`).join("");

export function textLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

export function suggestedLines({ hub }: World, head: HeadSha): readonly string[] {
  return textLines(textAt(hub, head, suggestedPath));
}

/** Where the lines of a suggestion may be at a commit. */
export interface Whereabouts {
  /** By the index of the first line. Of lines that read alike nobody can tell which one a push left standing. */
  readonly firsts: readonly number[];
  /** Every comparison of the versions in between finds them at one and the same place. */
  readonly isCertain: boolean;
}

const nowhere: Whereabouts = { firsts: [], isCertain: false };

export function whereaboutsOf(world: World, { side, commit, first, before }: Suggestion, head: HeadSha): Whereabouts {
  const path = pathBetween(world, commit, head);
  if (side === "old" || path === null) return nowhere;
  let at: Whereabouts = { firsts: [first], isCertain: true };
  let old = suggestedLines(world, commit);
  for (const next of path) {
    const lines = suggestedLines(world, next);
    at = moved(at, { old, lines, count: before.length });
    old = lines;
  }
  return at;
}

/** The commits after the older one up to the newer one; null if it is no ancestor. */
export function pathBetween({ hub }: World, older: HeadSha, newer: HeadSha): readonly HeadSha[] | null {
  const path: HeadSha[] = [];
  for (
    let commit: HeadSha | undefined = newer;
    commit !== older;
    commit = hub.objects.commits.get(commit)?.parents[0]
  ) {
    if (commit === undefined) return null;
    path.unshift(commit);
  }
  return path;
}

interface Step {
  readonly old: readonly string[];
  readonly lines: readonly string[];
  readonly count: number;
}

function moved({ firsts, isCertain }: Whereabouts, { old, lines, count }: Step): Whereabouts {
  const indices = Array.from({ length: count }, (_, index) => index);
  const longest = commonLength(old, lines);
  const mayBe = (from: number, to: number): boolean =>
    old[from] === lines[to] &&
    commonLength(old.slice(0, from), lines.slice(0, to)) +
      1 +
      commonLength(old.slice(from + 1), lines.slice(to + 1)) ===
      longest;
  const starts = lines.map((_, index) => index);
  const next = starts.filter((to) => firsts.some((from) => indices.every((index) => mayBe(from + index, to + index))));
  const isKept = (from: number): boolean => commonLength(old.toSpliced(from, 1), lines) < longest;
  const [only] = firsts;
  const isWhole = only !== undefined && indices.every((index) => isKept(only + index));
  return { firsts: next, isCertain: isCertain && next.length === 1 && isWhole };
}

/** How many lines two versions have in common, in the same order. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  let row: readonly number[] = other.map(() => 0);
  for (const line of one) {
    const next: number[] = [];
    for (const [index, against] of other.entries()) {
      const diagonal = index === 0 ? 0 : (row[index - 1] ?? 0);
      next.push(line === against ? diagonal + 1 : Math.max(row[index] ?? 0, next[index - 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
