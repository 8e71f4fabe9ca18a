import type { AccountId, HeadSha, ThreadId } from "#core/model/ids.ts";
import { suggestedPath, textAt } from "./content.ts";
import type { World } from "./world.ts";

/** What people suggested, and what became of it, by lines that keep their name wherever a push moves them. */
export interface SuggestionTruth {
  readonly made: Suggestion[];
  /** By its thread: who applied a suggestion, and in which commit. */
  readonly applied: Map<ThreadId, { readonly by: string; readonly commit: HeadSha }>;
  /** The names of the lines of the file at a commit. */
  readonly lines: Map<HeadSha, readonly number[]>;
  nextLine: number;
}

export interface Suggestion {
  readonly pull: number;
  readonly thread: ThreadId;
  readonly by: AccountId;
  /** How many facts were known when it was made: later ones may touch its lines. */
  readonly factsBefore: number;
  readonly commit: HeadSha;
  readonly side: "old" | "new";
  /** The lines that it replaces, by their names. */
  readonly lines: readonly number[];
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

/** A commit that leaves the file alone leaves its lines their names. What nobody noted gets new ones. */
export function namesAt(world: World, head: HeadSha): readonly number[] {
  const { suggestions, hub } = world;
  const known = suggestions.lines.get(head);
  if (known !== undefined) return known;
  const parent = hub.objects.commits.get(head)?.parents[0];
  const isSame = parent !== undefined && textAt(hub, parent, suggestedPath) === textAt(hub, head, suggestedPath);
  const names = isSame ? namesAt(world, parent) : suggestedLines(world, head).map(() => suggestions.nextLine++);
  suggestions.lines.set(head, names);
  return names;
}

/** Where its lines are at a commit; undefined where nothing proves it. */
export function placeOf(
  world: World,
  { side, commit, lines }: Suggestion,
  head: HeadSha,
): { readonly first: number; readonly count: number } | undefined {
  if (side === "old" || !isAncestor(world, commit, head)) return undefined;
  const names = namesAt(world, head);
  const first = names.indexOf(lines[0] ?? -1);
  const isWhole = first !== -1 && lines.every((name, index) => names[first + index] === name);
  return isWhole ? { first, count: lines.length } : undefined;
}

function isAncestor({ hub }: World, older: HeadSha, newer: HeadSha): boolean {
  const open: HeadSha[] = [newer];
  const seen = new Set<HeadSha>();
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    if (commit === older) return true;
    if (seen.has(commit)) continue;
    seen.add(commit);
    open.push(...(hub.objects.commits.get(commit)?.parents ?? []));
  }
  return false;
}
