import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runAction } from "#action/run-action.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { runCommandLine } from "#cli/command-line.ts";
import type { Account } from "#core/model/account.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { type GiteaLike, serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { openTestForge, type TestForge } from "#harness/test-forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { hastyClock } from "./run-world.ts";

/** One shot, and the commands that look, on a server that answers as Gitea does. */

let folder: string;
let sandbox: Sandbox;
let gitea: GiteaLike;
let openPull: TestForge<string>["openPull"];
let bot: Account;
let pull: PullRef;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-gitea-run-"));
  const forge = await openTestForge({
    clock: createSystemClock(),
    manner: "gitea",
    quirks: { mergeabilityDelayMs: 0 },
    gitFolder: folder,
    people: { mia: "owner", drover: "admin" },
  });
  ({ sandbox, openPull } = forge);
  bot = forge.accounts.drover;
  gitea = await serveGiteaLike({ sandbox, gitRoot: folder });
  gitea.tokens.set("t0ken-of-drover", bot);
});
let pulls = 0;
beforeEach(async () => {
  pulls += 1;
  const branch = `pull-${pulls}`;
  const files = { [`src/${branch}.ts`]: "export function shout() {\n  debugger;\n}\n" };
  pull = await openPull({ branch, files, title: "Shout", body: "Please." });
});
afterAll(async () => {
  await gitea.close();
  await rm(folder, { recursive: true, force: true });
});

async function drover(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { GITEA_TOKEN: "t0ken-of-drover" },
  files: Readonly<Record<string, string>> = {},
) {
  const before = gitea.requests.length;
  const { terminal, said } = heardTerminal({
    readFile: async (path) => files[path] ?? "",
    clock: hastyClock(),
    searchPath: process.env["PATH"] ?? "",
    env,
  });
  const code = await runCommandLine(args, terminal);
  const requests = gitea.requests.slice(before);
  return { code, ...said, requests, writes: requests.filter(({ isWrite }) => isWrite) };
}

const addressOf = ({ number }: PullRef): string => `${gitea.url}/mia/tools/pulls/${number}`;
const ownReviews = () => sandbox.look(pull).reviews.filter(({ author }) => author.id === bot.id);

test("explain and wait take the address of a pull, and write nothing", async () => {
  const explained = await drover(["explain", addressOf(pull)]);
  expect(explained.code).toBe(0);
  expect(explained.out).toContain("start the general review");
  const waited = await drover(["wait", "--pull", addressOf(pull), "--timeout", "60s", "--interval", "30s"]);
  expect(waited.code).toBe(4);
  expect([...explained.writes, ...waited.writes]).toEqual([]);
  // Version and page size, who we are, the repository, the pull with its lists, what mia may do.
  expect(explained.requests.length).toBeLessThanOrEqual(12);
});

test("run reviews the pull and says by its code that something blocks; the next one finds nothing to do", async () => {
  const first = await drover([
    "run",
    "--forge",
    "gitea",
    "--api-url",
    gitea.url,
    "--repo",
    "mia/tools",
    "--pull",
    `${pull.number}`,
  ]);
  expect(first).toMatchObject({ code: 1, err: "" });
  expect(first.out).toContain("blocking src/");
  expect(ownReviews()).toMatchObject([{ state: "changes_requested" }]);
  expect(sandbox.look(pull).gates.at(-1)?.state).toBe("failure");
  const second = await drover(["run", addressOf(pull)]);
  expect(second.code).toBe(1);
  // A run claims the pull while it works on it; it writes nothing else here.
  expect(second.writes.filter(({ path }) => !path.endsWith(`/issues/${pull.number}/reactions`))).toEqual([]);
});

/** What a runner of Gitea gives to a job; the pull comes from the repository of this owner. */
function jobOf({ number }: PullRef, owner = "mia") {
  const env = {
    GITEA_ACTIONS: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: `${gitea.url}/api/v1`,
    GITHUB_SERVER_URL: gitea.url,
    GITHUB_REPOSITORY: "mia/tools",
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: "event.json",
  };
  const [head, base] = [owner, "mia"].map((name) => ({ repo: { full_name: `${name}/tools` } }));
  const event = { action: "opened", number, pull_request: { number, head, base }, repository: base?.repo };
  return { env, files: { "event.json": JSON.stringify(event) } };
}

test("a job of Gitea Actions needs nothing but its environment and a secret", async () => {
  const { env, files } = jobOf(pull);
  const job = { ...env, GITHUB_TOKEN: "t0ken-of-drover" };
  const bare = await drover(["run"], job, files);
  expect(bare).toMatchObject({ code: 2, requests: [] });
  expect(bare.err).toContain("DROVER_SECRET is not set");
  const { code } = await drover(["run", "--json"], { ...job, DROVER_SECRET: "ab".repeat(32) }, files);
  expect(code).toBe(1);
  expect(ownReviews()).toHaveLength(1);
  // A fork's job only reads.
  const read = await drover(["run"], job, jobOf(pull, "eve").files);
  expect(read.out).toContain("This pull comes from a fork");
  expect(read.writes).toEqual([]);
});

test("the program of the Action works there as well, as the workflow for Gitea starts it", async () => {
  const { env, files } = jobOf(pull);
  const said: string[] = [];
  const code = await runAction({
    env: { ...env, PATH: process.env["PATH"], INPUT_GITHUB_TOKEN: "t0ken-of-drover", INPUT_SECRET: "ab".repeat(32) },
    out: (text) => void said.push(text),
    readFile: async () => files["event.json"],
    appendFile: async () => undefined,
    signal: new AbortController().signal,
  });
  expect(said.join("")).toContain(`mia/tools#${pull.number}: blocked`);
  expect(code).toBe(1);
  expect(ownReviews()).toMatchObject([{ state: "changes_requested" }]);
});

test("a token that the server does not know is told in words", async () => {
  const { code, out } = await drover(["run", addressOf(pull)], { GITEA_TOKEN: "wrong" });
  expect(code).toBe(1);
  expect(out).toContain("mia/tools cannot be read: gitea mia/tools: look up repository: 401");
});

test("all that was asked and answered is as Gitea describes it", () => {
  expect(gitea.requests).not.toEqual([]);
  expect(gitea.violations).toEqual([]);
});
