import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evalWith, ownSet, withFolder } from "./eval-world.ts";

const set = join(ownSet, "rules");

describe("a wrong call", () => {
  test.each([
    [{ set: "" }, "name the cases with --set DIR."],
    [{ set: "nowhere" }, "there is no folder"],
    [{ repeat: "0" }, '--repeat "0" is no number from 1 to 100.'],
    [{ jobs: "many" }, '--jobs "many" is no number from 1 to 32.'],
    [{ budget: "-1" }, '--budget "-1" is no sum of dollars, such as 2.50.'],
    [{ failUnderRecall: "80" }, '--fail-under-recall "80" is no share: expected a number from 0 to 1, such as 0.8.'],
    [{ failUnderPrecision: "" }, '--fail-under-precision "" is no share'],
    [{ role: "security" }, 'there is no role "security" in the defaults. It has: general.'],
    [{ config: "gone.yml" }, "the configuration gone.yml cannot be read (ENOENT)."],
    [{ against: "gone.yml" }, "gone.yml cannot be read (ENOENT)."],
    [{ against: "old.json" }, "old.json is a report of another version of drover eval."],
    [{ set: join(ownSet, "clean"), failUnderRecall: "0.5" }, "so there is no recall to measure."],
    [{ resume: join(ownSet, "rules") }, "cannot be read (EISDIR)"],
  ])("is refused before anything is run (case %#)", async (call, words) => {
    const files = { "old.json": '{"kind":"drover-eval","version":0}' };
    const { code, out, err } = await evalWith({ set, ...call }, { files });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });

  test("with a role that nobody can play says why, and what to do", async () => {
    const files = { "c.yml": "rules:\n  reviews:\n    roles:\n      - { name: deep, reviewer: model }\n" };
    const { code, err } = await evalWith({ set, config: "c.yml" }, { files });
    expect(code).toBe(2);
    expect(err).toContain("the role deep of c.yml cannot be played here");
    expect(err).toContain("Name the roles to evaluate with --role.");
  });
});

describe("a set with mistakes", () => {
  test("is not run, and every mistake is said; --skip-bad runs the rest and says what it left out", async () => {
    await withFolder(async (folder) => {
      const good = join(set, "debugger-left");
      await mkdir(join(folder, "good"));
      for (const name of ["case.yml", "change.diff"]) {
        await writeFile(join(folder, "good", name), await readFile(join(good, name)));
      }
      await mkdir(join(folder, "bad"));
      await writeFile(join(folder, "bad/case.yml"), "title: \u001b[31mT\nfinding: []\n");
      const refused = await evalWith({ set: folder });
      expect(refused).toMatchObject({ code: 2, out: "" });
      expect(refused.err).toContain("wrong with the set");
      expect(refused.err).toContain("bad/change.diff: is missing.");
      expect(refused.err).not.toContain("\u001b");
      const skipping = await evalWith({ set: folder, skipBad: true });
      expect(skipping.code).toBe(0);
      expect(skipping.out).toContain("Left out: bad/change.diff: is missing.");
      expect(skipping.out).toContain("Found 1 of 1 (recall 100 %).");
    });
  });
});

describe("the report", () => {
  test("is written where it is told to, and a later run can be compared with it", async () => {
    await withFolder(async (folder) => {
      const output = join(folder, "report.json");
      expect(await evalWith({ set, json: true, output })).toEqual({ code: 0, out: "", err: "" });
      const files = { "report.json": await readFile(output, "utf8") };
      const { code, out } = await evalWith({ set, against: "report.json" }, { files });
      expect(code).toBe(0);
      expect(out).toContain("Against report.json (the defaults): better in 0, worse in 0, the same in 14 of 14 cases.");
      expect(out).toContain("No case tells them apart.");
    });
  });

  test("compares two configurations that are run one after the other", async () => {
    const files = {
      "strict.yml": "rules:\n  reviews:\n    problemScore: 7\n",
      "lax.yml": "rules:\n  reviews:\n    problemScore: 5\n",
    };
    const { code, out } = await evalWith({ set, config: "strict.yml", against: "lax.yml" }, { files });
    expect(code).toBe(0);
    expect(out).toContain("Against lax.yml: better in 0, worse in 2, the same in 12 of 14 cases.");
    expect(out).toContain("Only 2 cases differ: too few to tell skill from luck");
  });

  test("of a run that is stopped says so and is no pass", async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { code, out, err } = await evalWith({ set }, { signal: stopping.signal });
    expect({ code, err }).toEqual({ code: 1, err: "drover: no pass: not everything was run\n" });
    expect(out).toContain("Stopped: 14 looks were not made.");
  });
});
