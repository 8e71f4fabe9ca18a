import { describe, expect, it } from "vitest";
import { checkImports } from "./check-imports.ts";
import { readSource } from "./source.ts";

function check(path: string, ...lines: readonly string[]): readonly string[] {
  return checkImports([readSource({ path, text: lines.join("\n") })]).map((each) => `${each.line}: ${each.what}`);
}

function from(specifier: string): string {
  return `import { a } from "${specifier}";`;
}

describe("the direction of imports", () => {
  it.each([
    ["src/core/a.ts", "#ports/forge.ts", "core may not import ports (#ports/forge.ts)"],
    ["src/ports/a.ts", "#observe/b.ts", "ports may not import observe (#observe/b.ts)"],
    ["src/observe/a.ts", "#act/b.ts", "observe may not import act (#act/b.ts)"],
    ["src/act/a.ts", "#forges/github/b.ts", "act may not import forges (#forges/github/b.ts)"],
    ["src/reconcile/a.ts", "#store/b.ts", "reconcile may not import store (#store/b.ts)"],
    ["src/forges/github/a.ts", "#models/b.ts", "forges may not import models (#models/b.ts)"],
    ["src/store/a.ts", "#queues/b.ts", "store may not import queues (#queues/b.ts)"],
    ["src/config/a.ts", "#ports/b.ts", "config may not import ports (#ports/b.ts)"],
    ["src/api/a.ts", "#core/b.ts", "api may not import core (#core/b.ts)"],
    ["src/server/a.ts", "#app/b.ts", "server may not import app (#app/b.ts)"],
    ["src/web/a.tsx", "#core/b.ts", "web may not import core (#core/b.ts)"],
    ["src/cli/a.ts", "#ports/b.ts", "cli may not import ports (#ports/b.ts)"],
    ["src/action/a.ts", "#cli/b.ts", "action may not import cli (#cli/b.ts)"],
    ["src/app/a.ts", "#web/b.ts", "app may not import web (#web/b.ts)"],
    ["src/app/a.ts", "#cli/b.ts", "app may not import cli (#cli/b.ts)"],
    ["src/app/a.ts", "#action/b.ts", "app may not import action (#action/b.ts)"],
    ["src/app/a.ts", "#testing/b.ts", "app may not import testing (#testing/b.ts)"],
    ["src/core/a.ts", "#testing/makers.ts", "core may not import testing (#testing/makers.ts)"],
    ["src/core/a.test.ts", "#app/b.ts", "core may not import app (#app/b.ts)"],
    ["src/core/a.ts", "#test/scenarios/b.ts", "core may not import test (#test/scenarios/b.ts)"],
    ["src/core/a.ts", "#package.json", "core may not import package.json (#package.json)"],
    ["src/core/a.ts", "#nowhere/b.ts", "core may not import nowhere (#nowhere/b.ts)"],
  ])("stops %s from importing %s", (path, specifier, what) => {
    expect(check(path, from(specifier))).toEqual([`1: ${what}`]);
  });

  it.each([
    ["src/core/plan/a.ts", "#core/derive/b.ts"],
    ["src/ports/a.ts", "#core/b.ts"],
    ["src/reconcile/a.ts", "#act/b.ts"],
    ["src/server/a.ts", "#api/b.ts"],
    ["src/web/a.tsx", "#api/b.ts"],
    ["src/cli/a.ts", "#app/b.ts"],
    ["src/app/a.ts", "#package.json"],
    ["src/app/a.ts", "#forges/github/b.ts"],
    ["src/core/a.test.ts", "#testing/makers.ts"],
    ["test/scenarios/a.test.ts", "#testing/makers.ts"],
    ["tools/a.ts", "#core/never.ts"],
  ])("lets %s import %s", (path, specifier) => {
    expect(check(path, from(specifier))).toEqual([]);
  });

  it("counts types and re-exports like values", () => {
    const lines = [
      'import type { A } from "#app/a.ts";',
      'export type { B } from "#app/b.ts";',
      'type C = import("#app/c.ts").C;',
    ];
    expect(check("src/core/a.ts", ...lines)).toEqual([
      "1: core may not import app (#app/a.ts)",
      "2: core may not import app (#app/b.ts)",
      "3: core may not import app (#app/c.ts)",
    ]);
  });

  it("stops an import that only the run will tell, in src alone", () => {
    const line = "const load = (name: string) => import(`#core/${name}.ts`);";
    expect(check("src/app/a.ts", line)).toEqual(["1: imports something that only the run will tell"]);
    expect(check("tools/a.ts", line)).toEqual([]);
  });
});

describe("places", () => {
  it("stops a folder that is not on the map", () => {
    expect(check("src/extras/a.ts")).toEqual(["1: the folder src/extras is not on the map"]);
    expect(check("src/ports/extras/a.ts")).toEqual([]);
  });

  it("stops a file that lies in no layer", () => {
    expect(check("src/a.ts")).toEqual(["1: lies in no layer"]);
    expect(check("vitest.config.ts")).toEqual([]);
  });
});

describe("the rows of core", () => {
  it.each([
    ["src/core/model/a.ts", "#core/approval/b.ts", "core/model may not import core/approval"],
    ["src/core/approval/a.ts", "#core/decision/b.ts", "core/approval may not import core/decision"],
    ["src/core/review/a.ts", "#core/words/b.ts", "core/review may not import core/words"],
    ["src/core/prompt/a.ts", "#core/review/b.ts", "core/prompt may not import core/review"],
    ["src/core/words/a.ts", "#core/derive/b.ts", "core/words may not import core/derive"],
    ["src/core/never.ts", "#core/model/b.ts", "core may not import core/model"],
  ])("stop %s from importing %s", (path, specifier, what) => {
    expect(check(path, from(specifier))).toEqual([`1: ${what}: it is in no lower row of core`]);
  });

  it.each([
    ["src/core/model/a.ts", "#core/files/b.ts"],
    ["src/core/plan/a.ts", "#core/plan/b.ts"],
    ["src/core/model/a.ts", "#core/never.ts"],
    ["src/core/backoff.ts", "#core/never.ts"],
    ["src/core/model/a.test.ts", "#core/plan/b.ts"],
    ["src/ports/a.ts", "#core/words/b.ts"],
  ])("let %s import %s", (path, specifier) => {
    expect(check(path, from(specifier))).toEqual([]);
  });

  it("have every folder of core", () => {
    expect(check("src/core/extras/a.ts")).toEqual(["1: the folder src/core/extras is in no row of core"]);
  });
});

describe("features that can be left out", () => {
  it.each([
    ["src/app/review/a.ts", "#app/eval/b.ts"],
    ["src/reviewers/a.ts", "#core/eval/b.ts"],
    ["src/cli/review.ts", "#core/eval/b.ts"],
    ["src/app/serve/a.ts", "#app/demo/b.ts"],
    ["src/app/serve/a.ts", "#forges/sandbox/b.ts"],
    ["src/app/forge/open-forge.ts", "#forges/sandbox/b.ts"],
    ["src/app/run/a.ts", "#app/sandbox-stack/b.ts"],
    ["src/app/sandbox-stack/a.ts", "#app/demo/b.ts"],
  ])("stop %s from importing %s", (path, specifier) => {
    expect(check(path, from(specifier)).join()).toContain("that is a feature that can be left out");
  });

  it.each([
    ["src/cli/eval.ts", "#app/eval/b.ts"],
    ["src/app/eval/a.ts", "#core/eval/b.ts"],
    ["src/cli/demo.ts", "#app/demo/b.ts"],
    ["src/app/demo/a.ts", "#app/sandbox-stack/b.ts"],
    ["src/app/forge/forge-kinds.ts", "#forges/sandbox/b.ts"],
    ["src/app/review/a.test.ts", "#forges/sandbox/b.ts"],
  ])("let %s import %s", (path, specifier) => {
    expect(check(path, from(specifier))).toEqual([]);
  });
});

describe("relative imports", () => {
  it.each(["src/core/plan/a.ts", "src/core/plan/a.test.ts", "test/scenarios/a.test.ts", "tools/a.ts"])(
    "never go up, in %s",
    (path) => {
      expect(check(path, from("../b.ts"))).toEqual(["1: imports ../b.ts: ../ hides the layer, name it with #"]);
    },
  );

  it("are not used in src, and may stay beside or below in test and tools", () => {
    expect(check("src/core/a.ts", from("./b.ts"))).toEqual(["1: imports ./b.ts: name the layer with #"]);
    expect(check("test/architecture/a.ts", from("./b.ts"))).toEqual([]);
    expect(check("tools/a.ts", from("./b.ts"))).toEqual([]);
  });
});

describe("packages", () => {
  it.each([
    ["src/core/a.ts", "citty", "core may not import the package citty"],
    ["src/core/a.ts", "@noble/ciphers/aes.js", "core may not import the package @noble/ciphers"],
    ["src/core/commands/a.ts", "markdown-it", "core may not import the package markdown-it"],
    ["src/core/a.ts", "node:fs", "core may not import node:fs"],
    ["src/core/a.ts", "fs", "core may not import the package fs"],
    ["src/core/a.ts", "vitest", "core may not import the package vitest"],
    ["src/core/a.test.ts", "citty", "core may not import the package citty"],
    ["src/cli/a.ts", "node:child_process", "cli may not import node:child_process"],
    ["src/ports/a.ts", "zod", "ports may not import the package zod"],
  ])("stop %s from importing %s", (path, specifier, what) => {
    expect(check(path, from(specifier))).toEqual([`1: ${what}`]);
  });

  it.each([
    ["src/core/a.ts", "zod"],
    ["src/core/a.ts", "@noble/hashes/sha2.js"],
    ["src/core/markdown/a.ts", "markdown-it"],
    ["src/core/a.test.ts", "vitest"],
    ["src/core/a.test.ts", "node:child_process"],
    ["src/cli/a.ts", "node:fs/promises"],
    ["tools/a.ts", "esbuild"],
  ])("let %s import %s", (path, specifier) => {
    expect(check(path, from(specifier))).toEqual([]);
  });
});

describe("families", () => {
  it.each([
    ["src/forges/github/a.ts", "#forges/gitea/b.ts", "forges/github may not import its sibling forges/gitea"],
    ["src/reviewers/rules/a.ts", "#reviewers/model/b.ts", "reviewers/rules may not import its sibling reviewers/model"],
    ["src/models/openai/a.ts", "#models/anthropic/b.ts", "models/openai may not import its sibling models/anthropic"],
    [
      "src/sessions/agents/codex/a.ts",
      "#sessions/agents/opencode/b.ts",
      "sessions/agents/codex may not import its sibling sessions/agents/opencode",
    ],
    ["src/forges/signature.ts", "#forges/github/b.ts", "forges may not import its sibling forges/github"],
    ["src/forges/github/a.test.ts", "#forges/gitea/b.ts", "forges/github may not import its sibling forges/gitea"],
  ])("keep %s from %s", (path, specifier, what) => {
    expect(check(path, from(specifier))).toEqual([`1: ${what}`]);
  });

  it.each([
    ["src/forges/github/a.ts", "#forges/github/deep/b.ts"],
    ["src/forges/github/a.ts", "#forges/signature.ts"],
    ["src/sessions/agents/codex/a.ts", "#sessions/transcript.ts"],
    ["src/core/plan/a.ts", "#core/derive/b.ts"],
    ["src/app/a.ts", "#forges/gitea/b.ts"],
  ])("let %s know %s", (path, specifier) => {
    expect(check(path, from(specifier))).toEqual([]);
  });
});
