import { afterAll, beforeAll, expect, test } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";
import { runCommandLine } from "#cli/command-line.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { openTestForge } from "#harness/test-forge.ts";

/** What `explain` and `wait` cost on GitHub, and that they leave nothing behind. */

let github: GithubLike;
beforeAll(async () => {
  const { sandbox, openPull, people, accounts } = await openTestForge({
    clock: createSystemClock(),
    people: { bot: { kind: "bot", login: "drover[bot]", may: "stranger" }, mia: "owner" },
  });
  const { bot, mia } = accounts;
  const pull = await openPull({ title: "One", body: "Please." });
  await people.mia.comment(pull, "What do you think?");
  github = await serveGithubLike({ sandbox, app: { bot } });
  github.tokens.set("ghp_mia", mia);
});
afterAll(async () => {
  await github.close();
});

async function drover(args: readonly string[]) {
  const before = github.requests.length;
  const { terminal, said } = heardTerminal({ env: { GITHUB_TOKEN: "ghp_mia" } });
  const place = ["--repo", "mia/tools", "--pull", "1", "--api-url", github.url];
  const code = await runCommandLine([...args, ...place], terminal);
  return { code, ...said, requests: github.requests.slice(before) };
}

test("explain takes a handful of requests, none of which writes", async () => {
  const { code, out, requests } = await drover(["explain"]);
  expect(code).toBe(0);
  expect(out).toContain("start the general review");
  expect(requests.filter(({ isWrite }) => isWrite)).toEqual([]);
  // Who we are, the repository by its name and by its address, the pull, and what mia may do.
  expect(requests.length).toBeLessThanOrEqual(6);
});

test("wait asks for the pull and little else each time", async () => {
  const { code, requests } = await drover(["wait", "--timeout", "300s", "--interval", "30s"]);
  expect(code).toBe(4);
  const looks = 11;
  expect(requests.filter(({ resource }) => resource === "graphql")).toHaveLength(looks);
  expect(requests.length - looks).toBeLessThanOrEqual(5 + looks);
  expect(github.violations).toEqual([]);
});
