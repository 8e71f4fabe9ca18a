import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botReviews, gateOf } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { defects, fileWith, injection, leak, offByOne, race, swallowed } from "./defects.ts";
import { type Defect, type FickleLook, fickleReviewer, type Told } from "./fickle-model.ts";
import { type ReviewOracle, watchReviews } from "./review-oracle.ts";

const oneRole = [{ name: "general", reviewer: "model" }] as const;
const twoRoles = [...oneRole, { name: "security", reviewer: "model" }] as const;

async function harnessWith(
  manner: HarnessOptions["manner"],
  roles: typeof oneRole | typeof twoRoles,
  speak: (look: FickleLook) => readonly Told[],
): Promise<Harness> {
  return await buildHarness({
    ...(manner === undefined ? {} : { manner }),
    rules: { reviews: { roles: [...roles], outsiderReviewsMax: 100 } },
    parts: ({ reviewers }) => ({ reviewers: { ...reviewers, model: fickleReviewer(speak) } }),
  });
}

async function rest(harness: Harness): Promise<void> {
  await harness.settle();
  await harness.pass(5 * minuteMs);
}

type Files = Readonly<Record<string, string | null>>;

async function begin(
  harness: Harness,
  files: Files,
): Promise<{ readonly pull: PullRef; readonly oracle: ReviewOracle }> {
  const pull = await harness.open({ files });
  const oracle = watchReviews(harness, pull, defects);
  oracle.note(harness.headOf(pull), files);
  await rest(harness);
  return { pull, oracle };
}

async function pushAndRest(harness: Harness, { pull, oracle }: Awaited<ReturnType<typeof begin>>, files: Files) {
  const before = harness.sandbox.history.length;
  oracle.note(await harness.push(pull, files), files);
  await rest(harness);
  expect(oracle.wrongsAtRest()).toEqual([]);
  const writes = harness.sandbox.history.slice(before).filter(({ by }) => by.id === harness.bot.id);
  expect(writes.length).toBeLessThanOrEqual(16);
  return oracle.openFindings();
}

const moved = ["// One.", "// Two.", "// Three.", "// Four.", "// Five.", "// Six.", "// Seven."];

/** What is said in each of the looks: other words, other names, other scores, wrong quotes, and long silences. */
const sixLooks: readonly (readonly Told[])[] = [
  [
    { defect: leak, telling: 0, line: 7 },
    { defect: race, telling: 0, line: 400 },
    { defect: injection, telling: 2 },
    { defect: offByOne, telling: 2, score: 6 },
  ],
  // Everything in other words, and the lines are where they were before.
  [
    { defect: leak, telling: 1, line: 7 },
    { defect: race, telling: 2, quote: "if (!stock.has(id))   stock.set(id, load(id));" },
    { defect: injection, telling: 1, line: 90 },
    { defect: offByOne, telling: 1, turn: "look" },
    { defect: leak, telling: 2, turn: "look" },
  ],
  // The opposite of before, one line more in the quote, and a thing that was forgotten.
  [
    { defect: leak, telling: 3, quote: `${leak.code}\n  note("step 1");` },
    { defect: injection, telling: 3, path: "src/orders.ts" },
    { defect: race, telling: 1, holds: "no" },
  ],
  // Silence.
  [],
  // What was forgotten comes back, worse than ever, and something that nobody had mentioned.
  [
    { defect: race, telling: 3, score: 10 },
    { defect: offByOne, telling: 0, score: 10, quote: "for (let at = 0; at <= pages.length; at++)" },
    { defect: swallowed, telling: 2 },
    { defect: injection, telling: 0, score: 10, line: 2 },
  ],
  [
    { defect: leak, telling: 0, score: 10 },
    { defect: race, telling: 0, score: 10 },
  ],
  [{ defect: leak, telling: 2 }],
];

describe.each(manners)("a model that repeats and contradicts itself over six pushes on a %s", (manner) => {
  it.each([
    ["one role", oneRole],
    ["two roles that echo each other", twoRoles],
  ] as const)("says each thing once, with %s", async (_, roles) => {
    const harness = await harnessWith(manner, roles, ({ role, number, shows }) => {
      const told = sixLooks[number - 1] ?? [];
      // The second role speaks of the same defects, in the words that the first one had in the round before.
      const own = role === "general" ? told : told.map((one) => ({ ...one, telling: (one.telling + 1) % 4 }));
      return own.filter(({ defect }) => shows(defect));
    });
    const pages = fileWith([offByOne.code, `  try {\n${swallowed.code}`]);
    const story = await begin(harness, {
      "src/orders.ts": fileWith([leak.code, race.code]),
      "src/query.ts": `${injection.code}\n`,
      "src/pages.ts": pages,
    });
    expect(story.oracle.wrongsAtRest()).toEqual([]);
    expect(story.oracle.openFindings()).toBe(4);
    const open: number[] = [];
    // 1: lines move, nothing is fixed.
    open.push(await pushAndRest(harness, story, { "src/orders.ts": fileWith([leak.code, race.code], moved) }));
    // 2: something else entirely.
    open.push(await pushAndRest(harness, story, { "docs/notes.md": "Orders.\n" }));
    // 3: the leak is mended.
    const mended = fileWith(["  using file = opened(path);", race.code], moved);
    open.push(await pushAndRest(harness, story, { "src/orders.ts": mended }));
    // 4: the loop is mended.
    const whole = pages.replace(offByOne.code, "  for (const page of pages) show(page);");
    open.push(await pushAndRest(harness, story, { "src/pages.ts": whole }));
    // 5: the statement and the race.
    open.push(
      await pushAndRest(harness, story, {
        "src/query.ts": "export const find = (name: string) => sql`select * from orders where name = ${name}`;\n",
        "src/orders.ts": fileWith(["  using file = opened(path);", "  stock.ensure(id, load);"], moved),
      }),
    );
    expect(open).toEqual([4, 4, 3, 2, 0]);
    expect(gateOf(harness, story.pull)).toBe("success");
    expect(botReviews(harness, story.pull).at(-1)?.state).toBe("approved");
    // 6: the leak is back, which is news.
    expect(await pushAndRest(harness, story, { "src/orders.ts": fileWith([leak.code]) })).toBe(1);
    expect(gateOf(harness, story.pull)).toBe("failure");
  });

  it("and the rules say one thing once, over any number of pushes", async () => {
    const leftover: Defect = {
      path: "src/orders.ts",
      code: "  debugger;",
      tellings: [
        { rule: "halts", message: "Execution stops here for whoever has tools open.", score: 8 },
        { rule: "left-behind", message: "Somebody forgot to tidy up.", score: 7 },
      ],
    };
    const roles = [{ name: "steady", reviewer: "rules" }, ...oneRole] as const;
    const harness = await buildHarness({
      manner,
      rules: { reviews: { roles: [...roles], outsiderReviewsMax: 100 } },
      parts: ({ reviewers }) => ({
        reviewers: {
          ...reviewers,
          model: fickleReviewer(({ number }) => [{ defect: leftover, telling: number % 2 }]),
        },
      }),
    });
    const pull = await harness.open({ files: { "src/orders.ts": fileWith([leftover.code]) } });
    await rest(harness);
    const bodies = botReviews(harness, pull).map(({ body }) => body);
    expect(bodies.find((body) => body.includes("General review"))).toContain("No findings of its own.");
    for (const above of [moved, [], moved]) {
      await harness.push(pull, { "src/orders.ts": fileWith([leftover.code], above) });
      await rest(harness);
      expect(harness.look(pull).threads).toHaveLength(1);
      expect(gateOf(harness, pull)).toBe("failure");
    }
    await harness.push(pull, { "src/orders.ts": fileWith(["  tidy();"], moved) });
    await rest(harness);
    expect(harness.look(pull).threads.map(({ comments }) => comments.length)).toEqual([2]);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("says nothing twice to whoever asks again and again, and what is new at once", async () => {
    const looks: readonly (readonly Told[])[] = [
      [{ defect: leak, telling: 0 }],
      [{ defect: leak, telling: 1, quote: `  count(4);\n${leak.code}` }],
      [
        { defect: leak, telling: 3, quote: `${leak.code}\n  note("step 1");` },
        { defect: race, telling: 1 },
      ],
      [{ defect: race, telling: 2, quote: `  count(14);\n${race.code}` }],
    ];
    const harness = await harnessWith(manner, oneRole, ({ number }) => looks[number - 1] ?? []);
    const story = await begin(harness, { "src/orders.ts": fileWith([leak.code, race.code]) });
    const open: number[] = [];
    for (let times = 0; times < 3; times++) {
      await harness.as(harness.rita).comment(story.pull, "@drover review");
      await rest(harness);
      expect(story.oracle.wrongsAtRest()).toEqual([]);
      open.push(harness.look(story.pull).threads.length);
    }
    expect(open).toEqual([1, 2, 2]);
  });
});
