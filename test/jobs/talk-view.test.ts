import { describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { type Git, GitError } from "#ports/git.ts";
import type { Answerer, ConversationView, ModelQuestion } from "#ports/model.ts";
import { type JobWorld, openJobWorld, type WorldOptions } from "./job-world.ts";

/** What those who answer are shown of the change. */

interface Shown extends Answerer {
  readonly asked: ModelQuestion[];
}

/** Answers everything, and says what it would cost: much with the change in view, little without. */
function shown({ viewMicroUsd = 100 }: { readonly viewMicroUsd?: number } = {}): Shown {
  const asked: ModelQuestion[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      const text = question.purpose === "classify" ? '{"meaning":"question"}' : "Because.";
      return { kind: "answered", text, costMicroUsd: 1 };
    },
    estimate: ({ fresh }) => (fresh === viewFresh ? viewMicroUsd : 1),
    expect: async () => ({ fresh: viewFresh, cached: 0, out: 0 }),
  };
}

/** What no prompt of these tests comes to. */
const viewFresh = 777_777;

async function answered(model: Shown, options: WorldOptions = {}, body = "@drover why?"): Promise<JobWorld> {
  const world = await openJobWorld({ ...options, dependencies: { model, ...options.dependencies } });
  await world.as("ada").comment(world.pull, body);
  await talk(world);
  expect(world.said().join()).toContain("Because.");
  return world;
}

async function talk(world: JobWorld): Promise<void> {
  for (let rounds = 0; rounds < 6; rounds++) {
    await world.tick();
    await world.job("talk");
  }
}

function answerIn({ asked }: Shown): ModelQuestion | undefined {
  return asked.find(({ purpose }) => purpose === "answer");
}

function titlesOf(question: ModelQuestion | undefined): readonly string[] {
  return question?.prompt.map((part) => (part.kind === "data" ? part.title : part.kind)) ?? [];
}

const alone = [
  "instructions",
  "the title of the pull",
  "the description of the pull",
  "the conversation",
  "the question",
];

const addBaseRules: JobWorld["dependencies"]["addBaseRules"] = (rules, file) => ({
  rules: { ...rules, reviews: { ...rules.reviews, excludedPaths: [file.trim()] } },
  problems: [],
});

describe("whoever answers a question", () => {
  it("is shown the change of the head, with the files of both sides, and is told the rest behind it", async () => {
    const model = shown();
    const world = await answered(model, {
      base: { "src/app.js": "stop();\n" },
      changes: { "src/app.js": "run();\n" },
    });
    const question = answerIn(model);
    const view: ConversationView | undefined = question?.view;
    expect(new TextDecoder().decode(view?.diff)).toContain("-stop();\n+run();");
    const head: HeadSha = world.sandbox.look(world.pull).pull.head.sha;
    expect(view).toMatchObject({ head, baseBranch: "main", path: null, about: { title: "Add a parser" } });
    const sides = await Promise.all(
      (["old", "new"] as const).map(async (side) => await view?.readFile(side, "src/app.js")),
    );
    expect(sides.map((bytes) => new TextDecoder().decode(bytes ?? undefined))).toEqual(["stop();\n", "run();\n"]);
    expect(await view?.repository?.listFiles("")).toMatchObject({ paths: ["README.md", "src/app.js"] });
    expect(titlesOf(question)).toEqual(["instructions", "the conversation", "the question"]);
  });

  it("is shown what the base branch leaves to be reviewed", async () => {
    const model = shown();
    await answered(model, { base: { ".drover.yml": "vendor/\n" }, dependencies: { model, addBaseRules } });
    expect(answerIn(model)?.view?.excludedPaths).toEqual(["vendor/"]);
  });

  it("is asked without the change where showing it costs more than may be spent", async () => {
    const model = shown({ viewMicroUsd: 5_000_000 });
    await answered(model, { dependencies: { budgets: () => ({ pullUsd: 1, allowUnpriced: false }) } });
    expect(answerIn(model)?.view).toBeUndefined();
    expect(titlesOf(answerIn(model))).toEqual(alone);
  });

  it("is asked without the change where git cannot tell it", async () => {
    const model = shown();
    const world = await openJobWorld({ dependencies: { model } });
    await world.as("ada").comment(world.pull, "@drover why?");
    await world.tick();
    await world.job("talk");
    await world.tick();
    const broken: Git = {
      ...world.dependencies.git,
      findMirror: () => Promise.reject(new GitError("unavailable", "the remote does not answer")),
    };
    await world.job("talk", { dependencies: { ...world.dependencies, git: broken } });
    expect(answerIn(model)?.view).toBeUndefined();
    expect(titlesOf(answerIn(model))).toEqual(alone);
  });
});

it("what a remark means is asked without the change, which no cache makes as cheap as leaving it out", async () => {
  const model = shown();
  await answered(model);
  const [first] = model.asked;
  expect([first?.purpose, first?.view]).toEqual(["classify", undefined]);
});
