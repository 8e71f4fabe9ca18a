import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { quiet } from "#harness/every-boundary.ts";
import { buildHarness, type Harness } from "#harness/harness.ts";
import { botComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { aSaidFinding, reviewerOf } from "#testing/model-makers.ts";
import { entryOf, type ModelWorld, providers, type Scripted } from "./model-world.ts";
import { useModelWorld } from "./use-model-world.ts";

/** Whole lives of a pull with people's names in all that they write, over the wire of each provider. */

let world: ModelWorld;
useModelWorld((opened) => {
  world = opened;
});

/** Where each of these names was written. */
const named = ["in-title", "in-body", "in-rules", "in-talk", "in-question", "in-thread", "in-history"] as const;

function review(change: object): Scripted {
  return { response: { content: JSON.stringify({ summary: "", findings: [], verdicts: [], ...change }) } };
}

const reviews: readonly Scripted[] = [
  review({ findings: [aSaidFinding()] }),
  { response: { toolCalls: [{ name: "history", arguments: '{"path":"src/a.ts"}' }] } },
  review({}),
  review({ verdicts: [{ id: 1, holds: "yes", score: 8, why: "Nobody waits for it." }] }),
];

const words = "Ask ＠in-thread about `＠Injectable()`.";

/** By what each of them asks to be answered with. */
const talk: Scripted = {
  response: ({ messages }) => {
    const asked = JSON.stringify(messages);
    if (asked.includes("proposal")) return { content: JSON.stringify({ proposal: "maintain", reason: words }) };
    if (!asked.includes("meaning")) return { content: words };
    return { content: JSON.stringify({ meaning: asked.includes("I disagree") ? "dispute" : "question" }) };
  },
};
const callsMax = 10;

async function live(
  provider: (typeof providers)[number],
): Promise<{ readonly harness: Harness; readonly pull: PullRef }> {
  const model = world.modelOf([entryOf(provider)]);
  const harness = await buildHarness({
    rules: { ...quiet, reviews: { roles: [{ name: "general", reviewer: "model" }] } },
    parts: ({ reviewers }) => ({ model, reviewers: { ...reviewers, model: reviewerOf(model) } }),
  });
  const { repository, ada, mia, rita } = harness;
  const rules = { "AGENTS.md": "Ask @in-rules. No `@scope/name` in pages.\n" };
  await harness.as(mia).push({ repository, branch: "main", changes: rules, message: "Rules" });
  const changes = { "src/a.ts": "@Injectable()\nconst order = load();\nsave(order);\n// @in-code\n" };
  await harness.as(ada).push({ repository, branch: "work", changes, message: "Save, as @in-history said" });
  const pull = await harness.as(ada).openPull({
    repository,
    branch: "work",
    base: "main",
    title: "Save orders, for @in-title",
    body: "cc @in-body, @org/team",
  });
  await harness.settle();
  world.script(...Array.from({ length: callsMax }, () => talk));
  await harness.as(rita).comment(pull, "@in-talk, have a look");
  await harness.as(rita).comment(pull, "@drover, why does @in-question wait? Write to mail@example.org");
  const thread = harness.look(pull).threads[0];
  if (thread === undefined) throw new Error("there is no thread about the finding");
  await harness.as(rita).reply(pull, thread.id, "I disagree, and so does @in-thread.");
  await harness.settle();
  await harness.pass(5 * minuteMs);
  return { harness, pull };
}

function texts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(texts);
}

/** All that left the process, as it was written. */
function sent(): string {
  return world.requests.flatMap(({ body }) => texts(JSON.parse(body))).join("\n");
}

describe.each(providers)("handles in the prompts for %s", (provider) => {
  it("are none, whoever wrote them wherever, but for code", async () => {
    world.script(...reviews);
    const { harness, pull } = await live(provider);
    expect(new Set(world.calls.map(({ purpose }) => purpose))).toEqual(
      new Set(["review_find", "review_look", "review_verify", "classify", "answer", "dispute"]),
    );
    for (const name of named) expect(sent()).toContain(`＠${name}`);
    expect(sent()).toContain("＠drover");
    expect(sent()).not.toMatch(/@(?:drover|org|in-(?!code))/);
    expect(sent()).toMatch(/\+@Injectable\(\)\n[^]*\/\/ @in-code\n/);
    expect(sent()).toContain("No `@scope/name` in pages");
    expect(sent()).toContain("mail@example.org");
    const replies = harness.look(pull).threads.flatMap(({ comments }) => comments.map(({ body }) => body));
    const written = [...botComments(harness, pull).map(({ body }) => body), ...replies];
    // What a model repeats is written for people in the way of all words of Drover's.
    expect(written.filter((body) => body.includes("Ask @\u200bin-thread about `@Injectable()`."))).toHaveLength(2);
  });
});
