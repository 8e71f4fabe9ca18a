import * as fc from "fast-check";
import type { HeadSha } from "#core/model/ids.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, type HarnessOptions } from "#harness/harness.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { defects, fileWith } from "./defects.ts";
import { type Defect, fickleReviewer, type Told } from "./fickle-model.ts";
import { watchReviews } from "./review-oracle.ts";

/** Where a defect is after a push: out of the code, in its place, or in its place further down. */
type Place = "absent" | "there" | "further down";

/** One push, and what is said about it. */
interface Round {
  /** Which defects change their place, by their number; all others stay as they were. */
  readonly moves: readonly (readonly [number, Place])[];
  /** By role. */
  readonly told: readonly (readonly Said[])[];
  /** A commit on top of the last one, or the whole branch written anew. */
  readonly how: "push" | "force";
  /** How long after it the next push comes. */
  readonly wait: "rest" | "seconds" | "none";
}

type Said = Omit<Told, "defect" | "quote"> & { readonly defect: number; readonly quoted: keyof typeof quotes };

/** How the model quotes the code that it means. */
const quotes = {
  exactly: (code: string) => code,
  "in one line": (code: string) =>
    code
      .split("\n")
      .map((line) => line.trim())
      .join(" "),
  "with other blanks": (code: string) => code.replace(/^ +/gm, "\t").replaceAll(" = ", "  =  "),
  "with marks": (code: string) => code.replace(/^/gm, "+"),
  "its beginning": (code: string) => code.slice(0, Math.floor(code.length * 0.8)),
  wrongly: (code: string) => code.replace(/\w+/, "something"),
} as const;

const anySaid: fc.Arbitrary<Said> = fc.record({
  defect: fc.nat({ max: defects.length - 1 }),
  telling: fc.nat({ max: 3 }),
  turn: fc.constantFrom("find", "find", "look"),
  quoted: fc.constantFrom(
    "exactly",
    "exactly",
    ...Object.keys(quotes).flatMap((name) => (isQuote(name) ? [name] : [])),
  ),
  line: fc.constantFrom(1, 7, 12, 500),
  score: fc.integer({ min: 1, max: 10 }),
  holds: fc.constantFrom("yes", "yes", "yes", "no", "unsure"),
});

function isQuote(name: string): name is keyof typeof quotes {
  return Object.hasOwn(quotes, name);
}

const anyPlace = fc.constantFrom<Place[]>("absent", "absent", "there", "further down");

const anyRound: fc.Arbitrary<Round> = fc.record({
  moves: fc.array(fc.tuple(fc.nat({ max: defects.length - 1 }), anyPlace), { maxLength: 2 }),
  told: fc.array(fc.array(anySaid, { maxLength: 6 }), { minLength: 2, maxLength: 2 }),
  how: fc.constantFrom("push", "push", "push", "force"),
  wait: fc.constantFrom("rest", "rest", "rest", "seconds", "none"),
});

/** Two to eight pushes, and what a model says about each. */
export const anyRounds = fc.array(anyRound, { minLength: 2, maxLength: 8 });

/** All of them stand in the first head. */
function placesAfter(rounds: readonly Round[], number: number): readonly Place[] {
  const moves = new Map(rounds.slice(1, number + 1).flatMap(({ moves: own }) => own));
  return defects.map((_, index) => moves.get(index) ?? "there");
}

/** The files of a head: every defect in its place, or something harmless instead of it. */
function filesOf(places: readonly Place[], number: number): Readonly<Record<string, string>> {
  const paths = [...new Set(defects.map(({ path }) => path))];
  const files = paths.map((path) => {
    const own = defects
      .map((defect, index) => ({ defect, place: places[index] }))
      .filter(({ defect }) => defect.path === path);
    const isDown = own.some(({ place }) => place === "further down");
    const above = isDown ? Array.from({ length: 9 }, (_, at) => `// ${at}`) : [];
    const code = own.map(({ defect, place }) => (place === "absent" ? "  mended();" : inside(defect)));
    return [path, fileWith(code, above)] as const;
  });
  return { ...Object.fromEntries(files), "docs/log.md": `Push ${number}.\n` };
}

/** As it stands among other code. */
function inside({ code }: Defect): string {
  return code.includes("catch") ? `  try {\n${code}` : code;
}

const roles = ["general", "security"] as const;

interface Life {
  readonly manner: NonNullable<HarnessOptions["manner"]>;
  readonly roleCount: number;
  readonly rounds: readonly Round[];
}

/** The life of one pull; what went wrong in it, as the forge saw it. */
export async function live({ manner, roleCount, rounds }: Life): Promise<readonly string[]> {
  let current = rounds[0];
  const harness = await buildHarness({
    manner,
    rules: {
      reviews: {
        roles: roles.slice(0, roleCount).map((name) => ({ name, reviewer: "model" as const })),
        outsiderReviewsMax: 1_000,
      },
    },
    parts: ({ reviewers }) => ({
      reviewers: {
        ...reviewers,
        model: fickleReviewer(({ role, shows }) => said(current?.told[role === "general" ? 0 : 1] ?? [], shows)),
      },
    }),
  });
  const pull = await harness.open({ files: filesOf(placesAfter(rounds, 0), 0) });
  const oracle = watchReviews(harness, pull, defects);
  oracle.note(harness.headOf(pull), filesOf(placesAfter(rounds, 0), 0));
  /** The open findings and the places of the last head that came to rest; null after one that did not. */
  let last: { readonly open: number; readonly places: readonly Place[] } | null = null;
  for (const [number, round] of rounds.entries()) {
    current = round;
    const places = placesAfter(rounds, number);
    const files = filesOf(places, number);
    // What was mended and came back is no news, however late somebody says it.
    const back = defects.filter(
      (defect, index) => places[index] === last?.places[index] && oracle.isBackUntold(defect),
    );
    if (number > 0) oracle.note(await pushAs(harness, pull, { round, number, files }), files);
    await harness.pass(waits[round.wait]);
    const wrongs = round.wait === "rest" ? oracle.wrongsAtRest() : oracle.wrongs();
    if (wrongs.length > 0) return wrongs;
    if (round.wait !== "rest") {
      last = null;
      continue;
    }
    const open = oracle.openFindings();
    const came = places.filter((place, index) => place !== "absent" && place !== last?.places[index]).length;
    if (last !== null && round.how === "push" && open > last.open + came + back.length)
      return [`${open} are open after ${last.open}`];
    last = { open, places };
  }
  await harness.settle();
  await harness.pass(10 * minuteMs);
  const writes = harness.sandbox.history.filter(({ by }) => by.id === harness.bot.id).length;
  await harness.pass(30 * minuteMs);
  const later = harness.sandbox.history.filter(({ by }) => by.id === harness.bot.id).length;
  return [
    ...oracle.wrongsAtRest(),
    ...(later > writes ? ["it does not come to rest"] : []),
    ...(writes > (rounds.length + 1) * writesMax * roleCount ? [`${writes} writes`] : []),
  ];
}

/** For each push and role: a review, its remarks and answers, the gate, the managed comment. */
const writesMax = 16;

const waits = { rest: 5 * minuteMs, seconds: 8 * secondMs, none: 0 } as const;

function said(all: readonly Said[], shows: (defect: Defect) => boolean): readonly Told[] {
  return all.flatMap(({ defect: index, quoted, ...rest }) => {
    const defect = defects[index];
    return defect === undefined || !shows(defect) ? [] : [{ ...rest, defect, quote: quotes[quoted](defect.code) }];
  });
}

async function pushAs(
  harness: Harness,
  pull: PullRef,
  {
    round,
    number,
    files,
  }: { readonly round: Round; readonly number: number; readonly files: Readonly<Record<string, string>> },
): Promise<HeadSha> {
  if (round.how === "push") return await harness.push(pull, files);
  const ada = harness.as(harness.ada);
  const { repository } = harness;
  const to = await ada.push({ repository, branch: `anew-${number}`, changes: files, message: "Anew" });
  await ada.forcePush({ repository, branch: harness.look(pull).pull.head.branch, to });
  return to;
}
