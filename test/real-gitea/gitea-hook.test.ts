import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { findGitea, giteaBuilds } from "./gitea-builds.ts";
import { findServer } from "./gitea-told.ts";

const version = inject("giteaVersion") ?? "";
const run = promisify(execFile);
const sha = "1".repeat(40);

let repository: string;

beforeEach(async () => {
  repository = await mkdtemp(join(tmpdir(), "drover-hook-"));
  await run("git", ["init", "--quiet", "--bare", repository]);
});

afterEach(() => rm(repository, { recursive: true, force: true }));

/** How it ends, and whether it left behind what git shows to whoever has no git server. */
async function endOf(program: string, { isInternal, args }: { isInternal: boolean; args: readonly string[] }) {
  const { folder } = await findServer(version);
  const config = `--config=${join(folder, "app.ini")}`;
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    USER: userInfo().username,
    GIT_DIR: repository,
    ...(isInternal && { GITEA_INTERNAL_PUSH: "true" }),
  };
  const code = await run(program, ["hook", config, ...args], { cwd: repository, env }).then(
    () => 0,
    (error: { readonly code?: unknown }) => error.code,
  );
  const info = await readFile(join(repository, "info", "refs"), "utf8").catch(() => null);
  return { code, info };
}

describe("the hook that the server's repositories call", () => {
  it.each([
    { isInternal: true, args: ["pre-receive"], end: { code: 0, info: null } },
    { isInternal: true, args: ["update", "refs/pull/1/head", sha, sha], end: { code: 0, info: null } },
    { isInternal: true, args: ["post-receive"], end: { code: 0, info: "" } },
    { isInternal: false, args: ["update", "refs/pull/1/head", sha, sha], end: { code: 1, info: null } },
    { isInternal: false, args: ["update", "refs/heads/main", sha, sha], end: { code: 0, info: null } },
    // Whoever is not sent by the server is turned away, which is for the program to say.
    { isInternal: false, args: ["pre-receive"], end: { code: 1, info: null } },
  ])("ends as the program does: $args.0, internal: $isInternal", async ({ end, ...call }) => {
    const build = giteaBuilds.find((each) => each.version === version);
    const program = build === undefined ? undefined : findGitea(build)?.program;
    if (program === undefined) throw new Error(`Gitea ${version} is not built here`);
    const { folder } = await findServer(version);
    expect(await endOf(join(folder, "hook"), call)).toEqual(end);
    await rm(join(repository, "info", "refs"), { force: true });
    expect(await endOf(program, call)).toEqual(end);
  });
});
