import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";
import { evalWith, ownSet, withFolder } from "./eval-world.ts";
import { openScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";

/** Models over the wire of a provider, through everything that a review goes through. */

const set = join(ownSet, "logic");
const casesInSet = 16;

/** What the better of the models knows: a word of the change, and what it says about it. */
const known: readonly (readonly [string, SaidFinding])[] = [
  ["src/catalogue.ts", said("src/catalogue.ts", "  for (let page = 2; page < first.pages; page += 1) {", 8)],
  ["src/checkout.ts", said("src/checkout.ts", "    payments.capture(order.id);", 9)],
  ["store/load.go", said("store/load.go", "		row, err := s.replica.Load(id)", 8)],
  ["lib/ends-on.js", said("lib/ends-on.js", "  return new Date(year, month, day);", 7)],
  ["src/attachments.ts", said("src/attachments.ts", "  return createReadStream(join(folder, name));", 9)],
  ["src/list.rs", said("src/list.rs", '        format!("{}…", &name[..NAME_MAX])', 7)],
  // It must block, and is found as a mere problem.
  ["src/device.c", said("src/device.c", "    strncpy(device->name, name, sizeof(device->name));", 5)],
  // On the other side of the diff: the check that is gone stood above this line.
  ["refunds/views.py", said("refunds/views.py", '    return {"refunded": order.refund().amount}', 9)],
  // Something that nobody asked for, in a file where something else is wrong.
  ["shop/Importer.java", said("src/main/java/shop/Importer.java", "import java.util.Set;", 6)],
];
const foundByGood = 8;
const foundByRules = 15;

function said(path: string, code: string, score: number): SaidFinding {
  return { id: 1, rule: "wrong", path, line: 1, code, message: "This is wrong.", score, fix: null };
}

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await openScriptedProvider(({ model, text }) =>
    model === "silent" ? [] : known.flatMap(([word, finding]) => (text.includes(word) ? [finding] : [])),
  );
});
afterAll(async () => {
  await provider.close();
});

function files(): Readonly<Record<string, string>> {
  return { "good.yml": provider.configOf("good"), "silent.yml": provider.configOf("silent") };
}

describe("a model", () => {
  test("is measured by what it says over the wire", async () => {
    const { code, out, err } = await evalWith({ set, config: "good.yml", json: true }, { files: files() });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const document = JSON.parse(out);
    expect(document).toMatchObject({
      counts: { looks: casesInSet, expected: 16, found: foundByGood, wrong: 1, underrated: 1 },
      rates: { recall: foundByGood / 16, precision: foundByGood / (foundByGood + 1) },
      roles: [{ name: "general", reviewer: "model" }],
    });
    expect(document.spent.tokensIn).toBeGreaterThan(0);
    expect(document.spent.costMicroUsd).toBeGreaterThan(0);
  });

  test("is never told what it has to find", () => {
    const sent = provider.requests().join("\n");
    expect(sent).toContain("src/catalogue.ts");
    const answers = ["last-page-missing", "missing-await", "path-traversal"].map(
      (name) => /what: (.*)/.exec(readFileSync(join(set, name, "case.yml"), "utf8"))?.[1] ?? "",
    );
    expect(answers.filter((words) => words === "" || sent.includes(words))).toEqual([]);
    expect(sent).not.toContain("last-page-missing");
  });

  test("is compared with another one, case by case", async () => {
    const call = { set, config: "good.yml", against: "silent.yml" };
    const { code, out } = await evalWith(call, { files: files() });
    expect(code).toBe(0);
    expect(out).toContain("Against silent.yml: better in 8, worse in 1, the same in 7 of 16 cases.");
    expect(out.replaceAll("\n", " ")).toContain("in about 1 of 26 comparisons, so the difference is probably real.");
  });

  test("is judged beside other roles, and together with them", async () => {
    const config = provider.configOf("good", ["{ name: checks, reviewer: rules }"]);
    const call = { set: ownSet, config: "c.yml", json: true };
    const { code, out } = await evalWith(call, { files: { "c.yml": config } });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      roles: [
        { name: "general", counts: { found: foundByGood, wrong: 1 } },
        { name: "checks", counts: { found: foundByRules, wrong: 0 } },
      ],
      counts: { looks: 42, expected: 31, found: foundByGood + foundByRules, wrong: 1 },
    });
  });

  test("that was paid for once is not asked again", async () => {
    await withFolder(async (folder) => {
      const call = { set, config: "good.yml", resume: join(folder, "answers.jsonl"), json: true };
      const first = JSON.parse((await evalWith(call, { files: files() })).out);
      const asked = provider.requests().length;
      const second = JSON.parse((await evalWith(call, { files: files() })).out);
      expect(provider.requests().length).toBe(asked);
      expect(second.counts).toEqual(first.counts);
      expect(second.cases.flatMap(({ looks }: { looks: { isKept: boolean }[] }) => looks).every(isKept)).toBe(true);
      await evalWith({ ...call, config: "silent.yml" }, { files: files() });
      expect(provider.requests().length).toBeGreaterThan(asked);
    });
  });

  test("is not asked beyond the budget", async () => {
    const asked = provider.requests().length;
    const { code, out, err } = await evalWith({ set, config: "good.yml", budget: "0.000001" }, { files: files() });
    expect({ code, err }).toEqual({ code: 1, err: "drover: no pass: not everything was run\n" });
    const words = out.replaceAll(/\s+/g, " ");
    expect(words).toContain("Stopped before the budget was used up: 16 looks were not made.");
    expect(words).toMatch(
      /The next look costs about \$0\.\d{4} by the prices of its model, all 16 need about \$\d\.\d{4}; \$0\.0001 of the budget is left\./,
    );
    expect(provider.requests().length).toBe(asked);
  });

  test("whose key is missing is refused before anything is run", async () => {
    const config = files()["good.yml"]?.replace("provider: compatible", "provider: openrouter") ?? "";
    const { code, err } = await evalWith({ set, config: "c.yml" }, { files: { "c.yml": config } });
    expect(code).toBe(2);
    expect(err).toContain("OPENROUTER_API_KEY");
  });
});

function isKept(look: { readonly isKept: boolean }): boolean {
  return look.isKept;
}
