import { describe, expect, it } from "vitest";
import { after, hourMs, minuteMs } from "#core/model/instant.ts";
import { quiet } from "#harness/every-boundary.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botReviews, botWords, gateOf, managedComments } from "#harness/sights.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Model } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { reviewerOf, says, scriptedModel } from "#testing/model-makers.ts";
import { fileWith, injection, leak, offByOne, race, swallowed } from "./defects.ts";
import { fickleReviewer, type Told } from "./fickle-model.ts";

const oneModel: NonNullable<HarnessOptions["rules"]> = {
  ...quiet,
  reviews: { roles: [{ name: "general", reviewer: "model" }] },
};

const files = {
  "src/orders.ts": fileWith([leak.code, race.code]),
  "src/query.ts": `${injection.code}\n`,
  "src/pages.ts": fileWith([offByOne.code, `  try {\n${swallowed.code}`]),
};

const everything: readonly Told[] = [
  { defect: leak, telling: 0, fix: "  using file = open(path);" },
  { defect: race, telling: 2 },
  { defect: injection, telling: 1 },
  { defect: offByOne, telling: 2 },
  { defect: swallowed, telling: 0 },
];

function withReviewer(model: NonNullable<Dependencies["reviewers"]["model"]>): NonNullable<HarnessOptions["parts"]> {
  return ({ reviewers }) => ({ reviewers: { ...reviewers, model } });
}

function withModel(model: Model): NonNullable<HarnessOptions["parts"]> {
  return withReviewer(reviewerOf(model));
}

async function opened(harness: Harness, changes: Readonly<Record<string, string>> = files): Promise<PullRef> {
  const pull = await harness.open({ files: changes });
  await harness.settle();
  await harness.pass(5 * minuteMs);
  return pull;
}

/** What people read: without Drover's marks and its notes to itself. */
function readable(body: string | undefined): string {
  const words = body?.replace(/<details>[\s\S]*<\/details>/g, "").replace(/^<!-- drover:.* -->\n/gm, "");
  return (words ?? "").replace(/`[0-9a-f]{10}`/g, "`head`").trim();
}

describe.each(manners)("a model's review on a %s", (manner) => {
  it("says what blocks first, then the rest, and what it did not read", async () => {
    const rules = { ...quiet, reviews: { ...oneModel.reviews, excludedPaths: ["vendor/"] } };
    const harness = await buildHarness({ manner, rules, parts: withReviewer(fickleReviewer(() => everything)) });
    const pull = await opened(harness, {
      ...files,
      "vendor/x.js": "x();\n",
      "web/x.min.js": "y();\n",
      "logo.png": "\u0000\u0001\u0000",
    });
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(readable(botReviews(harness, pull)[0]?.body)).toMatchInlineSnapshot(`
      "### General review of \`head\`

      2 findings block this pull.

      Orders are read from a file.
      3 files read: 5 findings (prompt review 2).

      **Blocking** (2)

      - \`src/query.ts:1\` Whatever users type reaches the database as code. (\`unescaped-input\`, score 10)
      - \`src/orders.ts:7\` The file that is opened here stays open when reading it throws. (\`resource-leak\`, score 8)

      **Other findings** (3)

      - \`src/pages.ts:14-16\` A broken file looks like an empty one to everybody. (\`swallowed-error\`, score 6)
      - \`src/orders.ts:13\` Without a lock the last writer wins, whoever that is. (\`concurrency\`, score 5)
      - \`src/pages.ts:7\` Less than is meant, not less or equal. (\`wrong-comparison\`, score 5)

      **Not read** (3)

      - binary: \`logo.png\`
      - skipped: its name marks it as generated. If it needs no review, add it to \`excludedPaths\` in \`.drover.yml\` on the base branch: \`web/x.min.js\`
      - left out by the rules, or a lock file: \`vendor/x.js\`"
    `);
    const remark = harness.look(pull).threads.find(({ path }) => path === "src/orders.ts")?.comments[0]?.body;
    expect(readable(remark)).toMatchInlineSnapshot(`
      "**Blocking, score 8** · \`resource-leak\`

      The file that is opened here stays open when reading it throws.

      \`\`\`suggestion
        using file = open(path);
      \`\`\`"
    `);
  });

  it("is told in the managed comment, with its cost", async () => {
    const harness = await buildHarness({
      manner,
      rules: oneModel,
      parts: withReviewer(fickleReviewer(() => everything)),
    });
    const pull = await opened(harness);
    const managed = readable(managedComments(harness, pull)[0]?.body);
    expect(managed.slice(managed.indexOf("**Findings:**"))).toMatchInlineSnapshot(`
      "**Findings:** 2 blocking, 3 other, 0 settled

      - \`src/query.ts:1\` Whatever users type reaches the database as code. (\`unescaped-input\`, score 10)
      - \`src/orders.ts:7\` The file that is opened here stays open when reading it throws. (\`resource-leak\`, score 8)

      **Cost so far:** $0.0003

      _Drover · \`@drover help\` lists the commands_"
    `);
  });

  it("over the limit of remarks says the worst in the diff and all of it in its text", async () => {
    const annotated: unknown[] = [];
    const rules = { ...quiet, reviews: { ...oneModel.reviews, commentsMax: 2 } };
    const harness = await buildHarness({
      manner,
      rules,
      parts: (usual) => ({
        ...withReviewer(fickleReviewer(() => everything))(usual),
        forge: {
          ...usual.forge,
          setGate: async (request) => {
            if (request.state === "failure") annotated.push(request.annotations);
            await usual.forge.setGate(request);
          },
        },
      }),
    });
    const pull = await opened(harness);
    expect(harness.look(pull).threads.map(({ path }) => path)).toEqual(["src/query.ts", "src/orders.ts"]);
    for (const { defect, telling } of everything) {
      expect(botReviews(harness, pull)[0]?.body).toContain(defect.tellings[telling]?.message);
    }
    // Each is beside its line once: as a remark, or as an annotation of the check.
    expect(annotated).toMatchObject([
      [
        { path: "src/pages.ts", lines: { first: 14, last: 16 }, level: "warning" },
        { path: "src/orders.ts", level: "warning" },
        { path: "src/pages.ts", lines: { first: 7, last: 7 }, level: "warning" },
      ],
    ]);
    await harness.pass(hourMs);
    expect(harness.look(pull).threads).toHaveLength(2);
  });

  it("that read only part of the change never approves, and says what is missing", async () => {
    const limits = { callTokensMax: 60, callsMax: 1 };
    const model = reviewerOf(
      scriptedModel(() => says()),
      { limits },
    );
    const harness = await buildHarness({ manner, rules: oneModel, parts: withReviewer(model) });
    const pull = await opened(harness);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["commented"]);
    expect(readable(botReviews(harness, pull)[0]?.body)).toContain(
      "Not everything could be read, so this is no approval.",
    );
    expect(readable(botReviews(harness, pull)[0]?.body)).toContain("the budget was used up: `src/");
    expect(gateOf(harness, pull)).toBe("pending");
  });

  it("whose answers cannot be read is tried again, then given up with words, once", async () => {
    const model = scriptedModel(() => ({ kind: "unreadable" }));
    const harness = await buildHarness({ manner, rules: oneModel, parts: withModel(model) });
    const pull = await opened(harness);
    await harness.pass(3 * hourMs);
    expect(model.turns).toHaveLength(3);
    expect(botReviews(harness, pull)).toEqual([]);
    expect(gateOf(harness, pull)).toBe("failure");
    expect(botWords(harness, pull).map(readable)).toEqual([
      [
        "**The general review of `head` failed** and will not be tried again by itself.",
        "> the answer is no JSON",
        "The id in the log is `head`.",
        "Comment `@drover review` to try again; a new push is reviewed anyway.",
      ].join("\n\n"),
    ]);
  });

  it("that is told to wait for hours waits, says so once, and reads the next head", async () => {
    let isBusy = true;
    const usage = { calls: [], costMicroUsd: 0 };
    const asked: number[] = [];
    const answers = scriptedModel(() => says());
    const harness: Harness = await buildHarness({
      manner,
      rules: oneModel,
      parts: withModel({
        ...answers,
        converse: async (turn) => {
          if (!isBusy) return await answers.converse(turn);
          asked.push(harness.clock.now());
          return { kind: "failed", why: "too many requests", retryAt: after(harness.clock.now(), 2 * hourMs), usage };
        },
      }),
    });
    const pull = await opened(harness);
    expect([asked.length, gateOf(harness, pull), botWords(harness, pull)]).toEqual([1, "pending", []]);
    await harness.pass(12 * hourMs);
    const gaps = asked.map((at, index) => at - (asked[index - 1] ?? at)).slice(1);
    expect([gaps.length, gaps.every((ms) => ms >= 2 * hourMs)]).toEqual([2, true]);
    expect(botWords(harness, pull).filter((body) => body.includes("too many requests"))).toHaveLength(1);
    expect(gateOf(harness, pull)).toBe("failure");
    isBusy = false;
    await harness.push(pull, { "docs/log.md": "More.\n" });
    await harness.pass(10 * minuteMs);
    expect(gateOf(harness, pull)).toBe("success");
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["approved"]);
  });
});
