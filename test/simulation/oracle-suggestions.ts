import type { HeadSha } from "#core/model/ids.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { suggestedPath, textAt } from "./content.ts";
import { isExcused } from "./oracle-twice.ts";
import { namesAt, placeOf, type Suggestion, suggestedLines } from "./suggestions.ts";
import { type Installation, isWriter, type World } from "./world.ts";

interface Push {
  readonly pull: number;
  readonly from: HeadSha;
  readonly to: HeadSha;
}

interface Replacement {
  readonly suggestion: Suggestion;
  readonly first: number;
  readonly count: number;
  readonly after: readonly string[];
}

/** What was pushed is what some of the suggestions say of which everybody can tell what they replace, and nothing else. */
export function suggestedProblem(world: World, by: Installation, { pull, from, to }: Push): string | null {
  const { suggestions, hub, figures } = world;
  const proven = suggestions.made.flatMap((suggestion) => replacementOf(world, suggestion, { pull, head: from }) ?? []);
  const pushed = textAt(hub, to, suggestedPath);
  for (const chosen of setsOf(proven)) {
    const lines = replaceAll(suggestedLines(world, from), chosen, ({ after }) => after);
    if (lines.map((line) => `${line}\n`).join("") !== pushed) continue;
    const names = replaceAll(namesAt(world, from), chosen, (one) => namesAfter(world, one));
    renameLines(world, suggestions.lines.get(to), names);
    suggestions.lines.set(to, names);
    for (const { suggestion } of proven.filter((one) => chosen.some((other) => isSame(one, other)))) {
      suggestions.applied.set(suggestion.thread, { by: by.name, commit: to });
      figures.sight("a suggestion was applied");
    }
    return null;
  }
  return "pushes something else than what was suggested";
}

/** A line at the beginning or the end of a suggestion that reads as before is still the same line. */
function namesAfter({ suggestions }: World, { suggestion, after }: Replacement): readonly number[] {
  const { before, lines } = suggestion;
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return after.map((_, index) => {
    const kept =
      index < head ? lines[index] : index >= after.length - tail ? lines.at(index - after.length) : undefined;
    return kept ?? suggestions.nextLine++;
  });
}

/** Somebody may have suggested something on what was pushed before it was judged: its lines get the names that they keep. */
function renameLines({ suggestions }: World, early: readonly number[] | undefined, names: readonly number[]): void {
  if (early === undefined) return;
  const nameOf = (line: number): number => names[early.indexOf(line)] ?? line;
  for (const [index, one] of suggestions.made.entries()) {
    suggestions.made[index] = { ...one, lines: one.lines.map(nameOf) };
  }
}

function replacementOf(
  world: World,
  suggestion: Suggestion,
  { pull, head }: { readonly pull: number; readonly head: HeadSha },
): Replacement | undefined {
  const { after, by, before } = suggestion;
  if (suggestion.pull !== pull || after === null || !isWriter(world, by)) return undefined;
  const place = placeOf(world, suggestion, head);
  if (place === undefined || JSON.stringify(before) === JSON.stringify(after)) return undefined;
  return { suggestion, after, ...place };
}

/** All sets of which no two touch the same line, the largest first. The empty one is none: it would be no push. */
function setsOf(proven: readonly Replacement[]): readonly (readonly Replacement[])[] {
  const sets: (readonly Replacement[])[] = [[]];
  for (const one of proven) {
    const apart = sets.filter((set) => !set.some((other) => isMet(one, other)));
    sets.push(...apart.map((set) => [...set, one]));
  }
  return sets.filter((set) => set.length > 0).toSorted((left, right) => right.length - left.length);
}

function isMet(one: Replacement, other: Replacement): boolean {
  return one.first < other.first + other.count && other.first < one.first + one.count;
}

function isSame(one: Replacement, other: Replacement): boolean {
  return JSON.stringify([one.first, one.count, one.after]) === JSON.stringify([other.first, other.count, other.after]);
}

function replaceAll<Line>(
  lines: readonly Line[],
  chosen: readonly Replacement[],
  put: (replacement: Replacement) => readonly Line[],
): readonly Line[] {
  const replaced = [...lines];
  for (const one of chosen.toSorted((left, right) => right.first - left.first)) {
    replaced.splice(one.first, one.count, ...put(one));
  }
  return replaced;
}

/** In the thread of a suggestion it says what is true, and says once that it cannot apply it. */
export function threadWordsProblem(
  world: World,
  installation: Installation,
  { thread, comment, body }: Extract<SandboxChange["what"], { readonly kind: "commented" }>,
): string | null {
  const { made, applied } = world.suggestions;
  const suggestion = made.find((one) => one.thread === thread);
  if (suggestion === undefined) return null;
  const found = applied.get(suggestion.thread);
  // What another Drover has applied is for this one a change of the lines, like anybody's.
  const own = found?.by === installation.name ? found : undefined;
  const isApplied = own !== undefined;
  if (body.includes("Addressed in `")) return isApplied ? null : "says that it addressed what it did not apply";
  if (!body.includes("This suggestion was not applied.")) return null;
  world.figures.sight("a suggestion was refused");
  if (isExcused(world, installation) || (found !== undefined && own === undefined)) return null;
  // A push back to an earlier head takes it out again.
  const head = world.facts.findLast((fact) => fact.kind === "head" && fact.pull === suggestion.pull);
  if (head?.kind === "head" && own?.commit === head.head) {
    return "refuses a suggestion that it has applied";
  }
  const isSaid = world.sandbox.history.some(
    ({ what, by }) =>
      by.id === installation.bot.id &&
      what.kind === "commented" &&
      what.thread === thread &&
      what.comment !== comment &&
      what.body.includes("This suggestion was not applied."),
  );
  if (isSaid) return "refuses a suggestion twice";
  return isPlain(world, suggestion) ? "refuses a suggestion that it could have applied" : null;
}

/** At every head since it was made, everybody could tell what it replaces, and no other touches its lines. */
function isPlain(world: World, suggestion: Suggestion): boolean {
  const { pull, commit, lines, factsBefore } = suggestion;
  const later = world.facts
    .slice(factsBefore)
    .flatMap((fact) => (fact.kind === "head" && fact.pull === pull ? [fact.head] : []));
  const since = [commit, ...later];
  const isMetByOther = world.suggestions.made.some(
    (other) => other !== suggestion && other.lines.some((line) => lines.includes(line)),
  );
  return !isMetByOther && since.every((head) => replacementOf(world, suggestion, { pull, head }) !== undefined);
}
