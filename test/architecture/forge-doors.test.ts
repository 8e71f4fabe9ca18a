import { expect, it } from "vitest";
import { findUnguardedClients } from "./forge-doors.ts";
import { readSource } from "./source.ts";

function check(path: string, text: string): readonly string[] {
  return findUnguardedClients([readSource({ path, text })]).map(({ what }) => what);
}

const github = 'import { createGithubClient } from "#forges/github/github-client.ts";';

it.each([
  ["src/app/run/start-run.ts", github],
  ["src/app/serve/installation.ts", 'import { createGiteaClient } from "#forges/gitea/gitea-client.ts";'],
  ["src/app/a.ts", 'const { createRemoteSandbox } = await import("#forges/sandbox/remote/remote-sandbox.ts");'],
  ["src/app/serve/installation.ts", "const forge = descriptorOf(kind).openUnmasked(options);"],
  ["src/app/serve/installation.ts", "const { openUnmasked: open } = descriptorOf(kind);"],
  ["src/app/a.ts", 'export { createGithubClient } from "#forges/github/github-client.ts";'],
])("the check of forge clients stops %s from opening one", (path, text) => {
  expect(check(path, text)).toEqual([expect.stringContaining("beside src/app/forge/open-forge.ts")]);
});

it.each([
  ["src/app/forge/open-forge.ts", github],
  ["src/app/forge/open-forge.ts", "const forge = descriptorOf(kind).openUnmasked(options);"],
  ["src/app/serve/installation.ts", 'import type { GithubAccess } from "#forges/github/github-client.ts";'],
  ["src/forges/github/github-list.ts", github],
  ["src/app/run/a.test.ts", github],
  ["test/contract/forge/a.test.ts", github],
])("the check of forge clients lets %s open one", (path, text) => {
  expect(check(path, text)).toEqual([]);
});
