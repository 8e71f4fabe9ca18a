import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "#cli/command-line.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { type GiteaLike, serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { goodChange, hastyClock, leapingClock } from "./run-world.ts";

/** The commands that only look, called by people with tokens of their own, on a server that tells nobody who is a bot. */

const logins = ["mia", "ada", "rita", "drover"] as const;
type Login = (typeof logins)[number];

/** Gitea counts whole seconds, and what was said in one second has no order. */
const clock = leapingClock();
const usualPath = process.env["PATH"] ?? "";

let folder: string;
let sandbox: Sandbox;
let gitea: GiteaLike;
let repository: RepositoryRef;
let people: Readonly<Record<Login, SandboxPerson>>;
let botId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-whose-token-"));
  const forge = await openTestForge({
    clock,
    manner: "gitea",
    quirks: { mergeabilityDelayMs: 0 },
    gitFolder: folder,
    people: { mia: "owner", ada: "write", rita: "write", drover: "admin" },
  });
  ({ sandbox, people, repository } = forge);
  const { accounts } = forge;
  botId = accounts.drover.id;
  gitea = await serveGiteaLike({ sandbox, gitRoot: folder });
  for (const login of logins) gitea.tokens.set(`t0ken-of-${login}`, accounts[login]);
});
afterAll(async () => {
  await gitea.close();
  await rm(folder, { recursive: true, force: true });
});

interface Called {
  readonly as: Login;
  /** Whose thumb comes between two looks: of an earlier one nobody but Drover could say for which head it was. */
  readonly thumbs?: { readonly of: readonly Login[]; readonly on: PullRef };
  readonly searchPath?: string;
}

async function drover(args: readonly string[], { as, thumbs, searchPath = usualPath }: Called) {
  const coming = [...(thumbs?.of ?? [])];
  const { terminal, said } = heardTerminal({
    readFile: async () => "rules: { approval: { requiresCodeOwners: true } }\n",
    clock: hastyClock(clock),
    sleep: async () => {
      const by = coming.shift();
      if (by !== undefined && thumbs !== undefined) await people[by].react(thumbs.on, "+1");
      // What was said in the second of a look counts at the next one.
      clock.leapToNextSecond();
    },
    searchPath,
    env: { GITEA_TOKEN: `t0ken-of-${as}` },
  });
  const code = await runCommandLine(args, terminal);
  return { code, ...said };
}

const addressOf = ({ number }: PullRef): string => `${gitea.url}/mia/tools/pulls/${number}`;
const waiting = (pull: PullRef): readonly string[] => ["wait", addressOf(pull), "--timeout", "150s"];

let pulls = 0;
async function openPull(changes: HostChanges): Promise<PullRef> {
  pulls += 1;
  const branch = `pull-${pulls}`;
  await people.ada.push({ repository, branch, changes, message: "Change it" });
  return await people.ada.openPull({ repository, branch, base: "main", title: "Change it", body: "Please." });
}

/** Reviewed and approved by Drover, and by nobody else. */
async function approvedByDrover(): Promise<PullRef> {
  const pull = await openPull(goodChange);
  clock.leapToNextSecond();
  expect(await drover(["run", addressOf(pull)], { as: "drover" })).toMatchObject({ code: 0 });
  const reviews = sandbox.look(pull).reviews.filter(({ author }) => author.id === botId);
  expect(reviews.map(({ state }) => state)).toEqual(["approved"]);
  return pull;
}

describe("wait", () => {
  test("does not take Drover's own approval for one, whoever's token it has", async () => {
    const pull = await approvedByDrover();
    const call = ["wait", addressOf(pull), "--timeout", "30s"];
    for (const as of logins) {
      const out = "timeout: no decision before the timeout\n";
      const waited = await drover(call, { as });
      expect(waited).toMatchObject({ code: 4, out });
      expect({ as, isTold: waited.err.includes("could not be checked") }).toEqual({ as, isTold: as !== "drover" });
    }
  });

  test.each(["mia", "rita", "drover"] as const)("sees the thumb of rita, with the token of %s", async (as) => {
    const pull = await approvedByDrover();
    const thumbs = { of: ["rita"], on: pull } as const;
    expect(await drover(waiting(pull), { as, thumbs })).toMatchObject({
      code: 0,
      out: "approved: approved by `rita`\n",
    });
  });

  test("sees her own thumb where Drover has said nothing yet", async () => {
    const pull = await openPull(goodChange);
    clock.leapToNextSecond();
    const thumbs = { of: ["rita"], on: pull } as const;
    expect(await drover(waiting(pull), { as: "rita", thumbs })).toMatchObject({ code: 0 });
  });

  test("counts the approval of nobody who writes as Drover does, and says so", async () => {
    const pull = await approvedByDrover();
    await people.rita.comment(pull, `<!-- drover:managed ${"0".repeat(32)} -->\nMine.`);
    const thumbs = { of: ["rita"], on: pull } as const;
    const waited = await drover(waiting(pull), { as: "mia", thumbs });
    expect(waited.code).toBe(4);
    expect(waited.err).toContain("several accounts write as Drover does: drover, rita");
    await people.rita.unreact(pull, "+1");
    // Now she is somebody who wants something.
    const told = await drover([...waiting(pull), "--bot", "drover"], { as: "mia" });
    expect(told).toMatchObject({ code: 3, err: expect.not.stringContaining("several accounts") });
  });
});

test("explain with the author's token does not take Drover's comments for requests", async () => {
  const pull = await approvedByDrover();
  const { out } = await drover(["explain", addressOf(pull)], { as: "ada" });
  expect(out).not.toContain("to be addressed");
  expect(out).toContain("1 approval of this head needed");
});

async function owned(): Promise<PullRef> {
  const changes = { CODEOWNERS: "/src/ @mia\n" };
  await people.mia.push({ repository, branch: "main", changes, message: "Owners" });
  const pull = await openPull(goodChange);
  clock.leapToNextSecond();
  return pull;
}

describe("where code owners are required", () => {
  test("wait goes on until the owner has approved", async () => {
    const pull = await owned();
    const call = [...waiting(pull), "--config", "owned.yml"];
    expect(await drover(call, { as: "mia", thumbs: { of: ["rita"], on: pull } })).toMatchObject({ code: 4 });
    await people.rita.unreact(pull, "+1");
    const thumbs = { of: ["rita", "mia"], on: pull } as const;
    expect(await drover(call, { as: "mia", thumbs })).toMatchObject({ code: 0 });
  });

  test("wait does not say approved where git cannot tell who owns it", async () => {
    const pull = await owned();
    const searchPath = await brokenGit();
    const thumbs = { of: ["rita", "mia"], on: pull } as const;
    const waited = await drover([...waiting(pull), "--config", "owned.yml"], { as: "mia", thumbs, searchPath });
    expect(waited.code).toBe(4);
    expect(waited.out).toContain("code owners are not known");
  });
});

/** A git that reaches no remote. */
async function brokenGit(): Promise<string> {
  const programs = await mkdtemp(join(folder, "programs-"));
  const file = join(programs, "git");
  const lines = ["#!/bin/sh", 'case "$*" in *fetch*|*ls-remote*) exit 128;; esac', `PATH='${usualPath}' exec git "$@"`];
  await writeFile(file, `${lines.join("\n")}\n`);
  await chmod(file, 0o755);
  return programs;
}
