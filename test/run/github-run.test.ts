import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommandLine } from "#cli/command-line.ts";
import type { Account } from "#core/model/account.ts";
import { instant, secondMs } from "#core/model/instant.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { openTestForge, type TestForge } from "#harness/test-forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { hastyClock } from "./run-world.ts";

/** One shot, and watching, on a server that answers as GitHub does, with a plain token. */

/** How far the forge's clock was put forward. */
let aheadMs = 0;
const forgeClock = { now: () => instant(Date.now() + aheadMs), sleep: async () => undefined };

let folder: string;
let sandbox: Sandbox;
let github: GithubLike;
let openForgePull: TestForge<string>["openPull"];
let accounts: Readonly<Record<"mia" | "eve" | "bot", Account>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-github-run-"));
  const forge = await openTestForge({
    clock: forgeClock,
    quirks: { mergeabilityDelayMs: 0 },
    gitFolder: folder,
    people: { mia: "owner", eve: "stranger", bot: { kind: "person", login: "drover", may: "write" } },
  });
  ({ sandbox, accounts } = forge);
  openForgePull = forge.openPull;
  github = await serveGithubLike({ sandbox, gitRoot: folder });
  github.tokens.set("ghp_drover", accounts.bot);
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

async function openPull(by: Account, branch: string): Promise<PullRef> {
  const files = { [`src/${branch}.ts`]: "export function shout() {\n  debugger;\n}\n" };
  return await openForgePull({ by, branch, files, title: "Shout", body: "Please." });
}

async function drover(command: string, pull: PullRef, sleep: () => Promise<void> = async () => undefined) {
  const before = github.requests.length;
  const { terminal, said } = heardTerminal({
    clock: hastyClock(),
    searchPath: process.env["PATH"] ?? "",
    env: { GITHUB_TOKEN: "ghp_drover" },
    sleep,
  });
  const place = ["--repo", "mia/tools", "--pull", String(pull.number), "--api-url", github.url];
  const code = await runCommandLine([command, ...place], terminal);
  return { code, ...said, writes: github.requests.slice(before).filter(({ isWrite }) => isWrite) };
}

const reviewsOn = (pull: PullRef) => sandbox.look(pull).reviews.filter(({ author }) => author.id === accounts.bot.id);

test("run posts a review and a status, and says by its code that something blocks; the next finds nothing to do", async () => {
  const pull = await openPull(accounts.mia, "own");
  const first = await drover("run", pull);
  expect(first).toMatchObject({ code: 1, err: "" });
  expect(first.out).toContain("blocking src/own.ts:2");
  expect(first.out).toMatch(/\nthe forge: \d+ requests, \d+ points, \d+ of 5000 left\n$/);
  expect(reviewsOn(pull)).toMatchObject([{ state: "changes_requested" }]);
  const { sha } = sandbox.look(pull).pull.head;
  expect(sandbox.look(pull).gates.at(-1)).toMatchObject({ head: sha, state: "failure" });
  expect(first.writes.some(({ path }) => path.endsWith(`/statuses/${sha}`))).toBe(true);
  const second = await drover("run", pull);
  expect(second.code).toBe(1);
  // A run claims the pull while it works on it; it writes nothing else here.
  expect(second.writes.filter(({ path }) => !path.includes(`/issues/${pull.number}/reactions`))).toEqual([]);
});

test("run reads the pull of a fork by its ref, sets the status on its head, and says that it fixes nothing there", async () => {
  const pull = await openPull(accounts.eve, "eves");
  expect(sandbox.look(pull).pull.head.isFork).toBe(true);
  expect(await drover("run", pull)).toMatchObject({ code: 1, err: "" });
  expect(reviewsOn(pull)).toMatchObject([{ state: "changes_requested" }]);
  expect(sandbox.look(pull).gates.at(-1)).toMatchObject({ head: sandbox.look(pull).pull.head.sha, state: "failure" });
  // What was said in one second has no order.
  aheadMs += secondMs;
  await sandbox.as(accounts.mia).comment(pull, "@drover fix");
  aheadMs += secondMs;
  expect((await drover("run", pull)).out).toContain('answer the command "fix": refused');
  const said = sandbox.look(pull).comments.filter(({ author }) => author.id === accounts.bot.id);
  expect(said.at(-1)?.body).toContain("The head of this pull is in a fork, where Drover cannot push.");
});

test("watch says what changes, once, until the pull is merged, and writes nothing", async () => {
  const pull = await openPull(accounts.mia, "watched");
  let looks = 0;
  const { code, out, writes } = await drover("watch", pull, async () => {
    looks += 1;
    if (looks === 2) await sandbox.as(accounts.mia).merge(pull);
  });
  expect([code, looks, writes]).toEqual([0, 2, []]);
  expect(out).toContain("pull     open → merged");
});

test("all that was asked and answered is as GitHub describes it", () => {
  expect(github.requests).not.toEqual([]);
  expect(github.violations).toEqual([]);
});
