import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readOperatorConfig } from "#app/config/read-operator-config.ts";
import { readRunConfig } from "#app/config/run-config.ts";
import { readRepositoryFile } from "#config/read-repository-file.ts";

function problemsOf(text: string): readonly string[] {
  const read = readRunConfig(text);
  return read.kind === "wrong" ? read.problems : [];
}

const main = "models: { main: { chain: [{ provider: anthropic, model: claude-sonnet-4-5 }] } }\n";

/** What a document has between fences of YAML. */
function examplesIn(path: string): readonly string[] {
  return [...readFileSync(path, "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

/** A role that a model plays, with more said about it. */
function role(more: string): string {
  return `rules: { reviews: { roles: [{ name: deep, reviewer: model${more} }] } }\n`;
}

describe("the models of a configuration", () => {
  it("keep their order, since the first one plays whoever names none", () => {
    const text =
      "models: { zeta: { chain: [{ provider: openai, model: a }], cheaper: beta }, beta: { chain: [{ provider: google, model: b }] } }";
    const read = readRunConfig(text);
    expect(read).toMatchObject({ kind: "read", config: { models: { zeta: { cheaper: "beta" } }, prices: {} } });
    expect(read.kind === "read" ? Object.keys(read.config.models) : []).toEqual(["zeta", "beta"]);
  });

  it("have their keys elsewhere", () => {
    const found = problemsOf("models: { main: { chain: [{ provider: openai, model: a, key: sk-very-secret }] } }");
    expect(found).toEqual([
      "models.main.chain.0.key: expected { env: NAME } or { file: PATH }: the secret itself does not belong here",
    ]);
    expect(problemsOf(main.replace("5 }", "5, key: { env: sk-very-secret } }"))).toEqual([
      "models.main.chain.0.key.env: expected the name of a variable: the secret itself does not belong here",
    ]);
    expect(readRunConfig(main.replace("5 }", "5, key: { file: /run/secrets/key } }"))).toMatchObject({ kind: "read" });
  });

  it("are at least one each, of a provider that there is", () => {
    expect(problemsOf("models: { main: { chain: [] } }")).toEqual([
      "models.main.chain: expected at least one { provider, model }",
    ]);
    expect(problemsOf("models: { main: { chain: [{ provider: bard, model: a }] } }")).toEqual([
      expect.stringContaining("models.main.chain.0.provider: "),
    ]);
    expect(problemsOf("models: { Main: { chain: [{ provider: openai, model: a }] } }")).toEqual([
      expect.stringContaining("models.Main: "),
    ]);
  });

  it.each([
    ["compatible", "", "expected the address of the server"],
    ["openai", "http://gateway.example/v1", "expected https: the key would travel in the open"],
    ["openai", "HTTP://gateway.example/v1", "expected https: the key would travel in the open"],
    ["openai", "http://127.0.0.1.gateway.example", "expected https: the key would travel in the open"],
    ["openai", "gateway.example", "expected an address such as"],
    ["openai", "https://me:secret@gateway.example/v1", "nothing else in it"],
    ["openai", "https://gateway.example/v1?key=1", "nothing else in it"],
    ["openai", "ftp://gateway.example", "expected an address such as"],
  ])("of %s are not at %j", (provider, baseUrl, problem) => {
    const address = baseUrl === "" ? "" : `, baseUrl: '${baseUrl}'`;
    const found = problemsOf(`models: { main: { chain: [{ provider: ${provider}, model: a${address} }] } }`);
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found.join()).not.toContain("secret");
  });

  it.each([
    ["compatible", "http://10.0.0.7:11434/v1"],
    ["openai", "https://gateway.example/v1"],
    ["anthropic", "http://127.0.0.1:8080/v1"],
    ["anthropic", "http://localhost:8080"],
  ])("of %s can be at %s", (provider, baseUrl) => {
    const entry = `{ provider: ${provider}, model: a, baseUrl: '${baseUrl}' }`;
    expect(problemsOf(`models: { main: { chain: [${entry}] } }`)).toEqual([]);
  });

  it("are known by name: who names another one is told what there is", () => {
    expect(problemsOf(main + role(", model: mains"))).toEqual([
      'rules.reviews.roles.0.model: there is no model "mains"; is "main" meant? There is: main.',
    ]);
    expect(problemsOf(`${main.replace("] } }", "], cheaper: tiny } }")}conversationModel: chatty\n`)).toEqual([
      'models.main.cheaper: there is no model "tiny". There is: main.',
      'conversationModel: there is no model "chatty". There is: main.',
    ]);
    expect(problemsOf(role(", model: main"))).toEqual([
      'rules.reviews.roles.0.model: there is no model "main": `models` has none',
    ]);
    expect(problemsOf(main.replace("] } }", "], cheaper: main } }"))).toEqual([
      "models.main.cheaper: a model cannot be its own cheaper model",
    ]);
    expect(problemsOf(main + role(", model: main"))).toEqual([]);
  });

  it("cost what the operator says", () => {
    const prices =
      "prices: { openai/gpt-5: { input: 1.25, cached: 0.125, output: 10, long: { tokensInMin: 272000, input: 2, cached: 0.2, output: 20 } } }";
    expect(problemsOf(prices)).toEqual([]);
    expect(problemsOf("prices: { mine: { input: -1, cached: 0, output: 0 } }")).toEqual([
      expect.stringContaining("prices.mine.input: "),
    ]);
    expect(problemsOf("prices: { mine: { input: 1, cache: 0, output: 0 } }")).toContain(
      'prices.mine: there is no key "cache"; is "cached" meant?',
    );
  });
});

describe("the examples of the documents", () => {
  it("are right", () => {
    const [example = ""] = examplesIn("docs/operating/models.md");
    expect(example).toContain("models:");
    expect(problemsOf(example)).toEqual([]);
    expect(readOperatorConfig(readFileSync("docs/examples/drover.config.yml", "utf8"))).toMatchObject({ kind: "read" });
    const [own = ""] = examplesIn("docs/operating/repository-file.md");
    // The repository may set what the operator lets it set.
    const allowing = `${example}\n`.replace("reviews:\n", "reviews:\n    repositorySetsAutomatic: true\n");
    const read = readRunConfig(allowing);
    expect(read.kind === "read" ? readRepositoryFile(read.config.rules, own).problems : read.problems).toEqual([]);
  });
});

describe("the thresholds of a role", () => {
  it("must not drop what blocks, with those that hold for all of them", () => {
    expect(problemsOf(role(", problemScore: 8"))).toEqual([
      'rules.reviews.roles.0.problemScore: expected the problemScore of the role "deep" (8) to be at most its blockingScore (7): what blocks must not be dropped',
    ]);
    expect(problemsOf(role(", blockingScore: 4"))).toHaveLength(1);
    expect(problemsOf(role(", problemScore: 8, blockingScore: 9"))).toEqual([]);
  });
});
