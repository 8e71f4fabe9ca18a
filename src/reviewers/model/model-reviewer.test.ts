import { describe, expect, it } from "vitest";
import type { ModelTurn } from "#ports/model.ts";
import type { ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import {
  aModelJob,
  aSaidFinding,
  changedFiles,
  reviewerOf,
  type ScriptedModel,
  type ScriptLine,
  says,
  scriptedModel,
} from "#testing/model-makers.ts";

type Completed = Extract<ReviewOutcome, { readonly kind: "completed" }>;

async function completed(
  script: readonly ScriptLine[] | ScriptedModel,
  job: ReviewJob = aModelJob(),
  options: Parameters<typeof reviewerOf>[1] = {},
): Promise<Completed> {
  const model = "converse" in script ? script : scriptedModel(script);
  const outcome = await reviewerOf(model, options).review(job);
  if (outcome.kind !== "completed") throw new Error(`${outcome.kind}: ${outcome.why}`);
  return outcome;
}

function yes(id: number, score: number): { id: number; holds: "yes"; score: number; why: string } {
  return { id, holds: "yes", score, why: "Checked." };
}

function wordsOf(turn: ModelTurn<unknown> | undefined): string {
  return JSON.stringify(turn?.messages);
}

describe("a review by a model", () => {
  it("finds, looks and verifies in one conversation that only grows", async () => {
    const model = scriptedModel([
      says({ summary: "Orders are saved.", findings: [aSaidFinding()] }),
      says(),
      says({ verdicts: [yes(1, 7)] }),
    ]);
    const outcome = await completed(model);
    expect(model.turns.map(({ purpose }) => purpose)).toEqual(["review_find", "review_look", "review_verify"]);
    const [find, look, verify] = model.turns.map(({ messages }) => messages);
    expect(look?.slice(0, find?.length)).toEqual(find);
    expect(verify?.slice(0, look?.length)).toEqual(look);
    expect(new Set(model.turns.map(({ shape }) => shape)).size).toBe(1);
    expect(new Set(model.turns.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(outcome).toEqual({
      kind: "completed",
      findings: [
        {
          role: "general",
          rule: "missing-await",
          path: "src/a.ts",
          side: "new",
          lines: { first: 2, last: 2 },
          snippet: "save(order);",
          message: "The order is not saved when the process ends here.",
          assessment: "Checked.",
          score: 7,
          suggestion: null,
        },
      ],
      coverage: { filesRead: 2, unread: [] },
      summary: "Orders are saved.\n2 files read: 1 finding (prompt review 2).",
      costMicroUsd: 300,
    });
  });

  it("does not ask for a verification of nothing", async () => {
    const model = scriptedModel([says(), says()]);
    expect((await completed(model)).findings).toEqual([]);
    expect(model.turns).toHaveLength(2);
  });

  it("takes up what the second turn adds, whatever ids it uses", async () => {
    const more = aSaidFinding({ id: 1, path: "src/b.ts", code: "fresh();", line: 1, rule: "broken-caller" });
    const outcome = await completed([says({ findings: [aSaidFinding()] }), says({ findings: [more] }), says()]);
    expect(outcome.findings.map(({ rule }) => rule)).toEqual(["missing-await", "broken-caller"]);
  });

  it("drops nothing by a verdict on an id that two findings have", async () => {
    const lesser = aSaidFinding({ score: 6 });
    const blocker = aSaidFinding({ path: "src/b.ts", code: "fresh();", line: 1, rule: "broken-caller" });
    const no = { holds: "no", score: 1, why: "It is awaited." } as const;
    const find = [says({ findings: [lesser] }), says({ findings: [blocker, { ...lesser, message: "Again." }] })];
    const model = scriptedModel([...find, says({ verdicts: [{ id: 1, ...no }] })]);
    expect((await completed(model)).findings.map(({ rule }) => rule)).toEqual(["missing-await", "broken-caller"]);
    expect(wordsOf(model.turns[2])).toContain("2: broken-caller, src/b.ts\\n3: missing-await, src/a.ts");
    const meant = await completed([...find, says({ verdicts: [{ id: 3, ...no }] })]);
    expect(meant.findings.map(({ rule }) => rule)).toEqual(["broken-caller"]);
  });

  it("shares everything but the role's own words between roles", async () => {
    const models = await Promise.all(
      ["general", "security"].map(async (role) => {
        const model = scriptedModel([says(), says()]);
        await completed(model, aModelJob({ role }));
        return model.turns[0]?.messages[0];
      }),
    );
    const [general, security] = models.map((message) => (message?.from === "drover" ? message.parts : []));
    expect(general?.slice(0, -1)).toEqual(security?.slice(0, -1));
    expect(general?.at(-1)).not.toEqual(security?.at(-1));
  });

  it("asks nobody when there is nothing to read", async () => {
    const model = scriptedModel([]);
    const outcome = await completed(model, aModelJob({ excludedPaths: ["src/"] }));
    expect(model.turns).toEqual([]);
    expect(outcome.costMicroUsd).toBe(0);
    expect(outcome.coverage.unread.map(({ why }) => why)).toEqual(["excluded", "excluded"]);
  });

  it("does not call complete what was passed over for its name, unless the merge base says so", async () => {
    const files = ["src/auth-generated.ts", "vendor/p.js", "yarn.lock"].map((path) => ({ path, hunks: [["+x"]] }));
    const attributes = (side: "old" | "new"): ReviewJob => {
      const job = aModelJob({ files, texts: { ".gitattributes": "vendor/** linguist-vendored\n" } });
      return { ...job, readFile: async (asked, path) => (asked === side ? await job.readFile(asked, path) : null) };
    };
    const unread = async (side: "old" | "new"): Promise<readonly string[]> =>
      (await completed([], attributes(side))).coverage.unread.map(({ why }) => why);
    expect(await unread("new")).toEqual(["generated", "generated", "excluded"]);
    expect(await unread("old")).toEqual(["generated", "excluded", "excluded"]);
  });

  it("shows no more by its tools in one conversation than the limit allows", async () => {
    const heard: (string | undefined)[] = [];
    const look: ScriptLine = {
      kind: "asks",
      look: async ({ tools, signal }) => {
        const input = { path: "src/big.ts", from: 1, to: 400, before: false };
        heard.push(await tools[0]?.run(input, signal), await tools[0]?.run(input, signal));
        return { summary: "", findings: [], verdicts: [] };
      },
    };
    const job = aModelJob({ texts: { "src/big.ts": "save(order);\n".repeat(200) } });
    await completed([look, says()], job, { limits: { lookedTokensMax: 50 } });
    expect(heard).toEqual([expect.stringContaining("(cut here"), expect.stringContaining("Nothing more")]);
  });

  it("looks only where its role looks, and raises nothing elsewhere", async () => {
    const model = scriptedModel([
      says({ findings: [aSaidFinding(), aSaidFinding({ id: 2, path: "src/b.ts", code: "fresh();" })] }),
      says(),
      says(),
    ]);
    const outcome = await completed(model, aModelJob(), { brief: { paths: ["src/a.ts"] } });
    expect(outcome.findings.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect(outcome.coverage).toEqual({ filesRead: 1, unread: [{ path: "src/b.ts", why: "excluded" }] });
    expect(wordsOf(model.turns[0])).not.toContain("fresh();");
  });

  it("looks everywhere where a pattern of its role cannot be read, and says so", async () => {
    const outcome = await completed([says(), says()], aModelJob(), { brief: { paths: ["!src/b.ts"] } });
    expect(outcome.coverage).toEqual({ filesRead: 2, unread: [] });
    expect(outcome.summary).toContain("The pattern `!src/b.ts` cannot be read, so this role looked at everything.");
  });

  it("says what the repository asks of some paths where the change touches them", async () => {
    const pathInstructions = [
      { paths: ["src/a.ts"], instructions: "Orders are saved twice." },
      { paths: ["docs/"], instructions: "Mind the spelling." },
    ];
    const model = scriptedModel([says(), says()]);
    await completed(model, aModelJob(), { brief: { pathInstructions } });
    expect(wordsOf(model.turns[0])).toContain("Orders are saved twice.");
    expect(wordsOf(model.turns[0])).not.toContain("spelling");
  });

  it("drops what its role is not to mention, and says how many", async () => {
    const outcome = await completed([says({ findings: [aSaidFinding({ score: 5 })] }), says(), says()], aModelJob(), {
      brief: { problemScore: 6 },
    });
    expect(outcome.findings).toEqual([]);
    expect(outcome.summary).toContain("1 too minor to mention");
  });
});

describe("the rules of the repository", () => {
  it("come from the base, as data, before the diff", async () => {
    const sides: string[] = [];
    const job = aModelJob({ texts: { "AGENTS.md": "Never log orders.", "CLAUDE.md": "See AGENTS.md" } });
    const model = scriptedModel([says(), says()]);
    await completed(model, {
      ...job,
      readFile: (side, path) => {
        sides.push(side);
        return job.readFile(side, path);
      },
    });
    const message = model.turns[0]?.messages[0];
    const titles =
      message?.from === "drover" ? message.parts.map((part) => (part.kind === "data" ? part.title : "")) : [];
    expect(titles).toEqual(["", "the rules of the repository", "the diff", ""]);
    expect(new Set(sides)).toEqual(new Set(["old"]));
  });

  it("are cut at their limit, which is said", async () => {
    const job = aModelJob({ texts: { "AGENTS.md": "Be careful.\n".repeat(5_000) } });
    expect((await completed([says(), says()], job)).summary).toContain("only their beginning was read");
  });
});

describe("a finding's place", () => {
  it("is found by its quote, whatever path and line the model names", async () => {
    const lost = aSaidFinding({ path: "nowhere.ts", line: 99_999, code: "+save(order);" });
    const [finding] = (await completed([says({ findings: [lost] }), says(), says()])).findings;
    expect(finding).toMatchObject({ path: "src/a.ts", lines: { first: 2, last: 2 }, snippet: "save(order);" });
  });

  it("can be quoted again in the last turn, and nothing else of it can change", async () => {
    const model = scriptedModel([
      says({ findings: [aSaidFinding({ code: "saveAll(orders)" })] }),
      says(),
      says({ findings: [aSaidFinding({ score: 10, message: "Worse!" })], verdicts: [yes(1, 8)] }),
    ]);
    const [finding] = (await completed(model)).findings;
    expect(wordsOf(model.turns[2])).toContain("The code of 1 is not in the diff");
    expect(finding).toMatchObject({ path: "src/a.ts", score: 8, message: aSaidFinding().message });
  });

  it("is the summary where the quote is nowhere in the diff", async () => {
    const outcome = await completed([says({ findings: [aSaidFinding({ code: "somewhereElse();" })] }), says(), says()]);
    expect(outcome.findings).toEqual([]);
    expect(outcome.summary).toContain("- `src/a.ts` The order is not saved when the process ends here.");
  });

  it("can be a line that the model saw with its hidden characters spelt out", async () => {
    const files = [{ path: "src/a.ts", hunks: [["+if (isAdmin\u202e) allow();"]] }];
    const script = [says({ findings: [aSaidFinding({ code: "if (isAdmin[U+202E]) allow();" })] }), says(), says()];
    const [finding] = (await completed(script, aModelJob({ files }))).findings;
    expect(finding).toMatchObject({ path: "src/a.ts", lines: { first: 1, last: 1 } });
  });

  it("can be a line with a secret, which no model is shown", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const files = [{ path: "src/a.ts", hunks: [["+start();", `+const token = "${token}";`]] }];
    const said = aSaidFinding({ line: 2, code: 'const token = "ghp_…";' });
    const model = scriptedModel([says({ findings: [said] }), says(), says()]);
    const [finding] = (await completed(model, aModelJob({ files }))).findings;
    expect(finding).toMatchObject({ path: "src/a.ts", lines: { first: 2, last: 2 } });
  });
});

async function suggestionOf(fix: string, code = "save(order);"): Promise<string | null | undefined> {
  const outcome = await completed([says({ findings: [aSaidFinding({ fix, code })] }), says(), says()]);
  return outcome.findings[0]?.suggestion;
}

describe("a fix", () => {
  it("is taken where the quote is exact", async () => {
    expect(await suggestionOf("await save(order);\n")).toBe("await save(order);");
  });

  it("is left out where it would replace other code than was quoted, or changes nothing", async () => {
    expect(await suggestionOf("await save", "save(ord")).toBeNull();
    expect(await suggestionOf("save(order);")).toBeNull();
  });

  it("is left out where a person would not see all of it", async () => {
    expect(await suggestionOf("await save(order);\u202e")).toBeNull();
    expect(await suggestionOf("x".repeat(9_000))).toBeNull();
  });
});

describe("a change that is too large for one call", () => {
  const files = Array.from({ length: 6 }, (_, index) => ({
    path: `src/file-${index}.ts`,
    hunks: [Array.from({ length: 60 }, (_line, number) => `+value_${index}_${number} = compute(${number});`)],
  }));
  const limits = { callTokensMax: 1_500, callsMax: 3 };

  it("is read in several conversations, each of which knows the rest by name", async () => {
    const model = scriptedModel(() => says());
    const outcome = await completed(model, aModelJob({ files }), { limits });
    expect(model.turns.length).toBeGreaterThan(2);
    const opening = wordsOf(model.turns[0]);
    for (const { path } of files) expect(opening).toContain(path);
    expect(outcome.coverage.filesRead + outcome.coverage.unread.length).toBe(files.length);
  });

  it("names what had no room", async () => {
    const outcome = await completed(
      scriptedModel(() => says()),
      aModelJob({ files }),
      { limits: { ...limits, callsMax: 1 } },
    );
    expect(outcome.coverage.unread.length).toBeGreaterThan(0);
    expect(new Set(outcome.coverage.unread.map(({ why }) => why))).toEqual(new Set(["budget"]));
  });

  it("has the files of an unreadable answer among the unread, and keeps the rest", async () => {
    const model = scriptedModel(({ messages }) =>
      JSON.stringify(messages).includes("value_0_0") ? { kind: "unreadable" } : says(),
    );
    const outcome = await completed(model, aModelJob({ files }), { limits: { ...limits, callsMax: 8 } });
    expect(outcome.coverage.unread).toContainEqual({ path: "src/file-0.ts", why: "unreadable" });
    expect(outcome.coverage.filesRead).toBeGreaterThan(0);
    expect(outcome.summary).toContain("could not be read");
  });
});

describe("what goes wrong", () => {
  const found = says({ findings: [aSaidFinding()] });

  it("is unreadable where the first answer is", async () => {
    const outcome = await reviewerOf(scriptedModel([{ kind: "says", answer: "LGTM!" }])).review(aModelJob());
    expect(outcome).toEqual({ kind: "unreadable", why: "the answer is no JSON", costMicroUsd: 100 });
  });

  it("is told where a later answer is unreadable, and the findings stand", async () => {
    const outcome = await completed([found, { kind: "unreadable" }, { kind: "unreadable" }]);
    expect(outcome.findings).toMatchObject([{ score: 8, assessment: "" }]);
    expect(outcome.summary).toContain("after looking across the repository could not be read");
    expect(outcome.summary).toContain("so they stand as first said");
    expect(outcome.summary).toContain("1 finding, 1 not verified");
  });

  it.each([0, 1, 2])("is a failure with the time to come back when the world fails in turn %d", async (turn) => {
    const script: readonly ScriptLine[] = [found, says(), says()];
    const model = scriptedModel(script.map((line, index) => (index === turn ? { kind: "failed" } : line)));
    expect(await reviewerOf(model).review(aModelJob())).toEqual({
      kind: "failed",
      why: "overloaded",
      retryAt: 5_000,
      costMicroUsd: 100 * (turn + 1),
    });
  });

  it("is a failure when the repository cannot be read", async () => {
    const job: ReviewJob = { ...aModelJob(), readFile: () => Promise.reject(new Error("the disk is gone")) };
    expect(await reviewerOf(scriptedModel([])).review(job)).toMatchObject({ kind: "failed", costMicroUsd: 0 });
  });

  it("is a cancelled review when nobody wants it any more", async () => {
    const outcome = await reviewerOf(scriptedModel([])).review(aModelJob({ signal: AbortSignal.abort() }));
    expect(outcome).toMatchObject({ kind: "failed", why: "The review was cancelled." });
  });

  it("is unreadable when the diff is", async () => {
    const job = { ...aModelJob(), diff: new TextEncoder().encode("@@ -1 +1 @@\n-a\n+b\n") };
    expect(await reviewerOf(scriptedModel([])).review(job)).toMatchObject({ kind: "unreadable" });
  });
});

describe("the same model twice", () => {
  it("says the same about the same change, in the same order", async () => {
    const findings = changedFiles.map(({ path }, index) =>
      aSaidFinding({ id: index + 1, path, code: index === 0 ? "save(order);" : "fresh();" }),
    );
    const one = await completed([says({ findings }), says(), says()]);
    const other = await completed([says({ findings: findings.toReversed() }), says(), says()]);
    expect(one.findings).toEqual(other.findings);
  });
});
