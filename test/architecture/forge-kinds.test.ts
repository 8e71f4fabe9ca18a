import { expect, it } from "vitest";
import { findForgeKindBranches } from "./forge-kinds.ts";
import { readSource } from "./source.ts";

const kinds = new Set(["github", "gitea", "sandbox"]);

function check(path: string, text: string): readonly string[] {
  return findForgeKindBranches([readSource({ path, text })], kinds).map(({ what }) => what);
}

it.each([
  'if (forge.kind === "github") open();',
  'const root = "gitea" !== kind ? url : path;',
  'switch (kind) { case "sandbox": break; }',
  'const kind = call.gitea ? "gitea" : other;',
  'const kinds = ["github"] as const;',
  'const isHosted = new Set(own).has("github");',
  'const first = kind ?? "github";',
  'const variable = names["gitea"];',
  "const gapsMs = { github: 1000 };",
  'const gapsMs = { "gitea": 100 };',
])("the check of forge kinds finds the branch in %s", (text) => {
  for (const path of ["src/app/run/a.ts", "src/core/a.ts", "src/cli/a.ts", "src/action/a.ts", "src/config/a.ts"]) {
    expect(check(path, text)).toEqual([expect.stringContaining("ask the forge's descriptor")]);
  }
  for (const path of ["src/forges/github/a.ts", "src/app/forge/forge-kinds.ts", "src/app/run/a.test.ts"]) {
    expect(check(path, text)).toEqual([]);
  }
});

it.each([
  'const sandbox = createSandbox({ manner: "github" });',
  "const parts = { sandbox };",
  "const { sandbox: served } = server;",
  'const address = "https://github.com";',
  'interface Server { readonly sandbox: Pick<Other, "sandbox"> }',
])("the check of forge kinds allows %s", (text) => {
  expect(check("src/app/a.ts", text)).toEqual([]);
});
