import type { HeadSha } from "#core/model/ids.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { suggestedPath, textAt } from "./content.ts";
import { isExcused } from "./oracle-twice.ts";
import { pathBetween, type Suggestion, suggestedLines, whereaboutsOf } from "./suggestions.ts";
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

/** What was pushed is what some of the suggestions say, on lines that may be theirs, and nothing else. */
export function suggestedProblem(world: World, by: Installation, { pull, from, to }: Push): string | null {
  const { suggestions, hub, figures } = world;
  const possible = suggestions.made.flatMap((suggestion) => replacementsOf(world, suggestion, { pull, head: from }));
  const pushed = textAt(hub, to, suggestedPath);
  const before = suggestedLines(world, from);
  const explanations = setsOf(possible).filter((set) => textOf(replaceAll(before, set)) === pushed);
  if (explanations.length === 0) return "pushes something else than what was suggested";
  for (const { thread } of new Set(possible.map(({ suggestion }) => suggestion))) {
    const isIn = (set: readonly Replacement[]): boolean =>
      possible.some((one) => one.suggestion.thread === thread && set.some((other) => isSame(one, other)));
    if (!explanations.some(isIn)) continue;
    suggestions.applied.set(thread, { by: by.name, commit: to, isCertain: explanations.every(isIn) });
    figures.sight("a suggestion was applied");
  }
  return null;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function replacementsOf(
  world: World,
  suggestion: Suggestion,
  { pull, head }: { readonly pull: number; readonly head: HeadSha },
): readonly Replacement[] {
  const { after, by, before } = suggestion;
  if (suggestion.pull !== pull || after === null || !isWriter(world, by)) return [];
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const { firsts } = whereaboutsOf(world, suggestion, head);
  return firsts.map((first) => ({ suggestion, after, first, count: before.length }));
}

/** All sets of which no two touch the same line or belong to one suggestion. The empty one is none: it would be no push. */
function setsOf(possible: readonly Replacement[]): readonly (readonly Replacement[])[] {
  const sets: (readonly Replacement[])[] = [[]];
  for (const one of possible) {
    const apart = sets.filter((set) => !set.some((other) => other.suggestion === one.suggestion || isMet(one, other)));
    sets.push(...apart.map((set) => [...set, one]));
  }
  return sets.filter((set) => set.length > 0);
}

function isMet(one: Pick<Replacement, "first" | "count">, other: Pick<Replacement, "first" | "count">): boolean {
  return one.first < other.first + other.count && other.first < one.first + one.count;
}

function isSame(one: Replacement, other: Replacement): boolean {
  return JSON.stringify([one.first, one.count, one.after]) === JSON.stringify([other.first, other.count, other.after]);
}

function replaceAll(lines: readonly string[], chosen: readonly Replacement[]): readonly string[] {
  const replaced = [...lines];
  for (const { first, count, after } of chosen.toSorted((left, right) => right.first - left.first)) {
    replaced.splice(first, count, ...after);
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
  const isStillIn = head?.kind === "head" && own !== undefined && pathBetween(world, own.commit, head.head) !== null;
  if (isStillIn && own.isCertain) return "refuses a suggestion that it has applied";
  const isSaid = world.sandbox.history.some(
    ({ what, by }) =>
      by.id === installation.bot.id &&
      what.kind === "commented" &&
      what.thread === thread &&
      what.comment !== comment &&
      what.body.includes("This suggestion was not applied."),
  );
  if (isSaid) return "refuses a suggestion twice";
  return !isStillIn && isPlain(world, suggestion) ? "refuses a suggestion that it could have applied" : null;
}

/** At every head since it was made, everybody could tell what it replaces, and no other touches its lines. */
function isPlain(world: World, suggestion: Suggestion): boolean {
  const { pull, commit, factsBefore } = suggestion;
  const later = world.facts
    .slice(factsBefore)
    .flatMap((fact) => (fact.kind === "head" && fact.pull === pull ? [fact.head] : []));
  return [commit, ...later].every((head) => {
    const [own] = replacementsOf(world, suggestion, { pull, head });
    if (own === undefined || !whereaboutsOf(world, suggestion, head).isCertain) return false;
    return !world.suggestions.made.some(
      (other) =>
        other !== suggestion &&
        other.pull === pull &&
        whereaboutsOf(world, other, head).firsts.some((first) => isMet(own, { first, count: other.before.length })),
    );
  });
}
