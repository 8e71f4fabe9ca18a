import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readInputs } from "#action/inputs.ts";

function read(inputs: Readonly<Record<string, string>>) {
  const given = { github_token: "ghs_1", ...inputs };
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
  return readInputs(env);
}

function problemsOf(inputs: Readonly<Record<string, string>>): readonly string[] {
  const found = read(inputs);
  return found.kind === "wrong" ? found.problems : [];
}

function chainOf(model: string, name = "openrouter"): object {
  return { models: { [name]: { chain: [{ provider: "openrouter", model }] } } };
}

describe("the inputs of the Action", () => {
  it("can all be left out", () => {
    expect(read({})).toMatchObject({
      kind: "read",
      inputs: { token: "ghs_1", secret: null, timeoutMs: 1_800_000, triesMax: 3, unused: [] },
    });
  });

  it("become rules of the one schema", () => {
    const found = read({
      handle: "@robo",
      problem_threshold: "3",
      blocking_threshold: "9",
      max_retries: "0",
      review_timeout_minutes: "5",
      human_reviewers: "@mia, rita",
    });
    expect(found).toMatchObject({
      kind: "read",
      inputs: {
        timeoutMs: 300_000,
        triesMax: 1,
        rules: {
          handle: "@robo",
          humans: ["mia", "rita"],
          reviews: { problemScore: 3, blockingScore: 9, attemptsMax: 1 },
        },
      },
    });
  });

  it("change what the configuration says, and leave the rest of it", () => {
    const config = "rules: { handle: '@other', reviews: { problemScore: 2, commentsMax: 4 } }";
    expect(read({ config, handle: "@robo" })).toMatchObject({
      kind: "read",
      inputs: { rules: { handle: "@robo", reviews: { problemScore: 2, commentsMax: 4 } } },
    });
  });

  it("say whether whoever asks for a review is told when it begins and ends, and how much is logged", () => {
    const given = { enable_start_comment: "true", enable_end_comment: "TRUE", debug_logging: "true" };
    expect(read(given)).toMatchObject({
      inputs: { isDebug: true, rules: { reviews: { tellsStart: true, tellsEnd: true } } },
    });
    const config = "rules: { reviews: { tellsStart: true, tellsEnd: true } }";
    expect(read({ config, enable_end_comment: "false" })).toMatchObject({
      inputs: { isDebug: false, rules: { reviews: { tellsStart: true, tellsEnd: false } } },
    });
  });

  it("say whether the account may approve, or leave it to what is known of the token", () => {
    expect(read({})).toMatchObject({ inputs: { approves: null } });
    expect(read({ approves: "true" })).toMatchObject({ inputs: { approves: true } });
  });

  it("name a model, which plays the general role beside the rules where there is a key for it", () => {
    const roles = [
      { name: "general", reviewer: "model", model: "openrouter" },
      { name: "rules", reviewer: "rules" },
    ];
    expect(read({ openrouter_api_key: " sk-1\n", model: "qwen/qwen3-coder" })).toMatchObject({
      inputs: { openRouterKey: "sk-1", models: chainOf("qwen/qwen3-coder"), rules: { reviews: { roles } }, unused: [] },
    });
    expect(read({ openrouter_api_key: "sk-1", model: "openrouter/x/y" })).toMatchObject({
      inputs: { models: chainOf("x/y") },
    });
    expect(read({ openrouter_api_key: "sk-1" })).toMatchObject({
      inputs: { models: chainOf("anthropic/claude-sonnet-4.5") },
    });
    expect(read({ model: "x/y" })).toMatchObject({
      inputs: { openRouterKey: null, models: { models: {} }, unused: ["model"] },
    });
  });

  it("say whether text that gives orders is pointed out, and which model has a second look at it", () => {
    expect(read({ injection_detection_enabled: "false" })).toMatchObject({
      inputs: { rules: { reviews: { injection: "off" } } },
    });
    const verified = { openrouter_api_key: "sk-1", injection_verification_model: "openrouter/small/one" };
    expect(read(verified)).toMatchObject({
      inputs: {
        models: chainOf("small/one", "verifier"),
        rules: { reviews: { injection: "flag", injectionVerifier: "verifier" } },
        unused: [],
      },
    });
    expect(read({ injection_verification_model: "small/one" })).toMatchObject({
      inputs: { unused: ["injection_verification_model"] },
    });
  });

  it("leave models to a configuration that has some", () => {
    const config = "models: { main: { chain: [{ provider: openrouter, model: a/b }] } }";
    expect(read({ config, openrouter_api_key: "sk-1", model: "x/y" })).toMatchObject({
      inputs: {
        openRouterKey: "sk-1",
        models: { models: { main: { chain: [{ model: "a/b" }] } } },
        rules: { reviews: { roles: [{ name: "general", reviewer: "rules" }] } },
        unused: ["model"],
      },
    });
  });

  it("that nothing uses are named, and checked all the same", () => {
    expect(read({ enable_web: "true" })).toMatchObject({ inputs: { unused: ["enable_web"] } });
    expect(problemsOf({ enable_web: "perhaps" })).toEqual(['enable_web: expected true or false, not "perhaps"']);
  });

  it("that are wrong are told each in a line, by their own names", () => {
    expect(
      problemsOf({
        problem_threshold: "eleven",
        blocking_threshold: "11",
        max_retries: "-1",
        handle: "drover",
        human_reviewers: "a b/c",
        config: "rule: {}",
      }),
    ).toEqual([
      'config: there is no key "rule"; is "rules" meant?',
      'max_retries: expected a whole number from 0 to 10, not "-1"',
      'problem_threshold: expected a whole number from 1 to 10, not "eleven"',
      'blocking_threshold: expected a whole number from 1 to 10, not "11"',
      'human_reviewers: "b/c" is no login; expected logins with commas between them',
      'handle: expected a handle such as "@drover"',
    ]);
  });

  it("must not drop what blocks", () => {
    expect(problemsOf({ problem_threshold: "8", blocking_threshold: "7" })).toEqual([
      "problem_threshold: expected problemScore to be at most blockingScore: what blocks must not be dropped",
    ]);
  });

  it("call nobody where that is switched off, and need somebody where it is switched on", () => {
    expect(read({ human_reviewers: "mia", enable_human_escalation: "false" })).toMatchObject({
      inputs: { rules: { humans: [] } },
    });
    expect(problemsOf({ enable_human_escalation: "true" })).toEqual([
      "human_reviewers: name at least one login, or set enable_human_escalation to false",
    ]);
  });

  it("name the keys of the models in the configuration, so that no log shows them", () => {
    const config =
      "models: { main: { chain: [{ provider: anthropic, model: a }, { provider: openai, model: b, key: { env: VAULT } }] }, local: { chain: [{ provider: compatible, model: c, baseUrl: 'http://127.0.0.1:1', key: { env: SHORT } }] } }";
    const found = readInputs({
      INPUT_GITHUB_TOKEN: "ghs_1",
      INPUT_CONFIG: config,
      ANTHROPIC_API_KEY: "key-of-anthropic\n",
      OPENAI_API_KEY: "key-of-somebody-else",
      VAULT: "key-out-of-a-vault",
      SHORT: "none",
    });
    expect(found).toMatchObject({ inputs: { secrets: ["ghs_1", "key-of-anthropic", "key-out-of-a-vault"] } });
  });

  it("name their secrets also where something else is wrong", () => {
    expect(read({ secret: "s", openrouter_api_key: "k", handle: "x" })).toMatchObject({
      kind: "wrong",
      secrets: ["ghs_1", "s", "k"],
    });
  });

  it("are those that action.yml declares, no more and no less", () => {
    const declared =
      /^inputs:\n(?<inputs>[\s\S]*?)^\S/m.exec(readFileSync("action.yml", "utf8"))?.groups?.["inputs"] ?? "";
    const names = [...declared.matchAll(/^ {2}(\w+):$/gm)].map(([, name = ""]) => name);
    const source = readFileSync("src/action/inputs.ts", "utf8");
    const asked = new Set([...source.matchAll(/"([a-z]+(?:_[a-z]+)*)"/g)].map(([, name = ""]) => name));
    expect(names.filter((name) => !asked.has(name))).toEqual([]);
    expect([...asked].filter((name) => name.includes("_") && !names.includes(name))).toEqual([]);
  });
});
