import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { type Called, evalWith, ownSet } from "./eval-world.ts";

/** The set that comes with Drover, counted once more without any of the code that counts it. */

const Entry = z.object({ path: z.string(), tags: z.array(z.string()).default([]) });
const Case = z.object({
  tags: z.array(z.string()),
  clean: z.boolean().default(false),
  findings: z.array(Entry).default([]),
});

const cases = readdirSync(ownSet, { recursive: true, encoding: "utf8" })
  .filter((path) => /(?:^|\/)case\.yml$/.test(path))
  .map((path) => ({
    name: dirname(path),
    folder: join(ownSet, dirname(path)),
    ...Case.parse(parse(readFileSync(join(ownSet, path), "utf8"))),
  }));

function expectedIn(tag: string): number {
  return cases.reduce(
    (sum, one) => sum + one.findings.filter(({ tags }) => [...one.tags, ...tags].includes(tag)).length,
    0,
  );
}

const Figures = z.object({
  counts: z.object({ expected: z.number(), found: z.number(), wrong: z.number(), accepted: z.number() }),
  rates: z.object({ recall: z.number().nullable(), precision: z.number().nullable() }),
});
const Document = Figures.extend({
  cases: z.array(z.object({ name: z.string(), mistakes: z.number().nullable() })),
  tags: z.array(Figures.extend({ tag: z.string() })),
});

let called: Called;
let document: z.infer<typeof Document>;
beforeAll(async () => {
  called = await evalWith({ json: true });
  document = Document.parse(JSON.parse(called.out));
});

describe("the set of our own", () => {
  test("is large enough, in many languages, and a good part of it is clean", () => {
    const languages = ["typescript", "javascript", "python", "go", "java", "ruby", "rust", "c", "sql"];
    expect(cases.length).toBeGreaterThanOrEqual(24);
    expect(cases.filter(({ clean }) => clean).length).toBeGreaterThanOrEqual(8);
    expect(languages.filter((language) => !cases.some(({ tags }) => tags.includes(language)))).toEqual([]);
    expect(cases.filter(({ name, tags }) => tags[0] !== name.split("/")[0])).toEqual([]);
  });

  test("is read whole, without a mistake in it", () => {
    expect(called.err).toBe("");
    expect(called.code).toBe(0);
    expect(document.cases.map(({ name }) => name).toSorted()).toEqual(cases.map(({ name }) => name).toSorted());
  });
});

describe("the rules over it", () => {
  test("find all that rules can find, nothing else, and nothing wrong", () => {
    const all = cases.reduce((sum, { findings }) => sum + findings.length, 0);
    const findable = expectedIn("rules");
    expect(document.counts).toMatchObject({ expected: all, found: findable, wrong: 0 });
    expect(document.rates).toEqual(expect.objectContaining({ recall: findable / all, precision: 1 }));
    const byTag = new Map(document.tags.map(({ tag, ...figures }) => [tag, figures]));
    expect(byTag.get("rules")?.rates).toMatchObject({ recall: 1, precision: 1 });
    expect(byTag.get("logic")).toMatchObject({ counts: { expected: expectedIn("logic"), found: 0, wrong: 0 } });
    expect(byTag.get("clean")).toMatchObject({ counts: { expected: 0, wrong: 0 }, rates: { recall: null } });
  });

  test("say exactly as much as is accounted for", async () => {
    let said = 0;
    for (const { folder } of cases) {
      const read = (side: "before" | "after", path: string): Uint8Array | null => {
        try {
          return new Uint8Array(readFileSync(join(folder, side, path)));
        } catch {
          return null;
        }
      };
      const outcome = await rulesReviewer().review({
        role: "general",
        head: HeadSha.parse("1".repeat(40)),
        baseBranch: "main",
        diff: new Uint8Array(readFileSync(join(folder, "change.diff"))),
        readFile: async (side, path) => read(side === "new" ? "after" : "before", path),
        excludedPaths: [],
        signal: new AbortController().signal,
      });
      said += outcome.kind === "completed" ? outcome.findings.filter(({ score }) => score >= 5).length : Number.NaN;
    }
    const { found, wrong, accepted } = document.counts;
    expect(found + wrong + accepted).toBe(said);
  });

  test("meet the bounds that they meet, and miss those above", async () => {
    const share = document.counts.found / document.counts.expected;
    expect(await evalWith({ failUnderRecall: share.toFixed(2).slice(0, 3), failUnderPrecision: "1" })).toMatchObject({
      code: 0,
    });
    expect(await evalWith({ failUnderRecall: "0.9" })).toMatchObject({
      code: 1,
      err: "drover: no pass: recall is below 0.9\n",
    });
  });

  test("find the same each time", async () => {
    const { out } = await evalWith({ set: join(ownSet, "rules"), repeat: "2" });
    expect(out).toContain(
      "Over 2 attempts: 15 found each time, 0 never, 0 only sometimes; 0 wrong findings an attempt.",
    );
  });
});
