import { describe, expect, it } from "vitest";
import { type RunConfig, readRunConfig } from "#app/config/run-config.ts";
import { type ModelsToOpen, noModels, openModels } from "#app/models/open-models.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { capsOf } from "#core/budget/budgets.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { hourMs, instant } from "#core/model/instant.ts";
import type { Model } from "#ports/model.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { silentLog } from "#testing/makers.ts";

interface Asked {
  readonly url: string;
  readonly key: string | null;
}

/** Opens the models of a configuration, over a way out that writes down where it leads. */
async function open(text: string, env: Readonly<Record<string, string>> = {}, asked: Asked[] = []) {
  const config: ModelsToOpen = configOf(text);
  return await openModels({
    config,
    places: { env, readFile: async () => "from-a-file\n" },
    clock: createSystemClock(),
    random: createSystemRandom(),
    log: silentLog,
    onCall: ignore,
    fetch: async (input, init) => {
      const { url, headers } = new Request(input, { headers: init?.headers ?? {} });
      asked.push({ url, key: headers.get("x-api-key") ?? headers.get("authorization") });
      return Response.json({ error: { message: "no" } }, { status: 400 });
    },
  });
}

function configOf(text: string): RunConfig {
  const read = readRunConfig(text);
  if (read.kind === "wrong") throw new Error(read.problems.join("\n"));
  return read.config;
}

function ignore(): void {
  // Nobody asks for it.
}

it("sets money aside for a chain in which one model has no price, so that looks that begin together keep to the cap", async () => {
  const config = [
    "models: { usual: { chain: [",
    "  { provider: openai, model: gpt-5 },",
    '  { provider: compatible, model: qwen, baseUrl: "http://127.0.0.1:1/v1", key: { env: OPENAI_API_KEY } }',
    "  ] } }",
    "budgets: { pullUsd: 1, allowUnpriced: true }",
  ].join("\n");
  const models = await open(config, { OPENAI_API_KEY: "k" });
  const costMicroUsd = models.modelNamed(null)?.estimate?.({ fresh: 200_000, cached: 0, out: 5_000 }, "now") ?? null;
  // 250,000 and 50,000: three of them fit under a dollar.
  expect(costMicroUsd).toBe(300_000);
  const store = createMemoryStore();
  const caps = capsOf(configOf(config).budgets);
  const place = { instance: InstanceId.parse("here"), repository: { id: RepositoryId.parse("o/r") }, pull: 7 };
  const choices = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const offers = [{ costMicroUsd, until: instant(hourMs) }];
      const whose = { work: `look ${index}`, holder: "one", place, pullSpentMin: 0 };
      return store.reserve({ ...whose, caps, offers, now: instant(0) });
    }),
  );
  expect(choices.filter(({ kind }) => kind === "taken")).toHaveLength(3);
});

async function ask(model: Pick<Model, "ask"> | null): Promise<unknown> {
  return await model?.ask({
    purpose: "answer",
    prompt: [{ kind: "instructions", text: "Say yes." }],
    answerCharactersMax: 100,
    signal: new AbortController().signal,
  });
}

const two =
  "models: { main: { chain: [{ provider: anthropic, model: claude-sonnet-4-5 }] }, own: { chain: [{ provider: compatible, model: qwen, baseUrl: 'http://127.0.0.1:9/v1' }] } }\n";

it("a model has the smallest window that its chain names", async () => {
  const entry = "provider: compatible, model: m, baseUrl: 'http://127.0.0.1:1/v1'";
  const chainOf = (...more: readonly string[]): string =>
    `models: { main: { chain: [${more.map((words) => `{ ${entry}${words} }`).join(", ")}] } }`;
  const sized = await open(chainOf(", contextTokens: 32768", ", contextTokens: 8192", ""));
  expect(sized.modelNamed(null)?.contextTokens).toBe(8_192);
  expect((await open(chainOf(""))).modelNamed(null)?.contextTokens).toBeUndefined();
  expect(() => configOf(chainOf(", contextTokens: 4096"))).toThrow("at least 8192");
});

describe("the models of an operator", () => {
  it("are none where none is configured", async () => {
    expect(await open("")).toBe(noModels);
  });

  it("are known by their names, and the first one by none", async () => {
    const models = await open(two, { ANTHROPIC_API_KEY: "k" });
    expect(models.modelNamed(null)).toBe(models.modelNamed("main"));
    expect(models.modelNamed("own")).not.toBe(models.modelNamed("main"));
    expect([models.modelNamed("other"), models.modelNamed("constructor")]).toEqual([null, null]);
  });

  it("are asked with the key that belongs to them, at their own address", async () => {
    const asked: Asked[] = [];
    const models = await open(two, { ANTHROPIC_API_KEY: "of-anthropic", OPENAI_API_KEY: "of-openai" }, asked);
    await ask(models.modelNamed("main"));
    await ask(models.modelNamed("own"));
    expect(asked).toEqual([
      { url: "https://api.anthropic.com/v1/messages", key: "of-anthropic" },
      { url: "http://127.0.0.1:9/v1/chat/completions", key: null },
    ]);
  });

  it("take a key from where the configuration says, also from a file", async () => {
    const asked: Asked[] = [];
    const text = "models: { main: { chain: [{ provider: openrouter, model: a/b, key: { file: /run/secrets/k } }] } }";
    await ask((await open(text, { OPENROUTER_API_KEY: "not this one" }, asked)).talker);
    expect(asked).toEqual([{ url: "https://openrouter.ai/api/v1/chat/completions", key: "Bearer from-a-file" }]);
  });

  it("know both variables that Google's key may be in", async () => {
    const text = "models: { main: { chain: [{ provider: google, model: gemini }] } }";
    for (const name of ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"]) {
      expect((await open(text, { [name]: "k" })).talker).not.toBeNull();
    }
  });

  it("answer by the first one, or by the one that is named for it", async () => {
    const asked: Asked[] = [];
    const env = { ANTHROPIC_API_KEY: "k" };
    await ask((await open(two, env, asked)).talker);
    await ask((await open(`${two}conversationModel: own`, env, asked)).talker);
    expect(asked.map(({ url }) => new URL(url).host)).toEqual(["api.anthropic.com", "127.0.0.1:9"]);
  });

  it("cannot be opened with what is no key, of which nothing is repeated", async () => {
    const text = "models: { main: { chain: [{ provider: anthropic, model: a }] } }";
    const asked: Asked[] = [];
    await ask((await open(text, { ANTHROPIC_API_KEY: " with-an-end\n" }, asked)).talker);
    expect(asked).toMatchObject([{ key: "with-an-end" }]);
    for (const value of ["sk-first\nsk-second", "sk-first sk-second", "sk-fïrst", "\n"]) {
      const failed = await open(text, { ANTHROPIC_API_KEY: value }).catch((error: unknown) => error);
      expect(String(failed)).toContain("the value of ANTHROPIC_API_KEY is not a key");
      expect(String(failed)).not.toContain("sk-");
    }
  });

  it("cannot be opened without their keys, and every one that is missing is named", async () => {
    const text =
      "models: { main: { chain: [{ provider: anthropic, model: a }, { provider: google, model: b }] }, other: { chain: [{ provider: openai, model: c, key: { env: MINE } }] } }";
    const failed = await open(text, { OPENAI_API_KEY: "sk-not-asked-for" }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StartError);
    expect(String(failed)).toContain(
      'the model "main" (anthropic/a): the environment variable ANTHROPIC_API_KEY is not set',
    );
    expect(String(failed)).toContain("GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY");
    expect(String(failed)).toContain('the model "other" (openai/c): the environment variable MINE is not set');
    expect(String(failed)).not.toContain("sk-not");
  });
});
