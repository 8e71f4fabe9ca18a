import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultGitLimits } from "#git/git-limits.ts";
import { checkGitVersion, isOlder } from "#git/git-version.ts";
import { createRunGit, mustRun, type RunGit } from "#git/run-git.ts";

describe("a git process", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-run-"));
    mkdirSync(join(folder, "home"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A program of the name `git` that does what the test wants. */
  function withProgram(script: string, limits = {}): RunGit {
    writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const searchPath = `${folder}:/usr/local/bin:/usr/bin:/bin`;
    const home = join(folder, "home");
    return createRunGit({ searchPath, home, limits: { ...defaultGitLimits, graceMs: 50, ...limits } });
  }

  const remote = { url: "https://host.invalid/x", protocol: "https", config: [], secrets: ["s3cret"] } as const;

  /** Starts a process of its own and waits for both. The number of the inner one is written down. */
  const stubborn = 'trap "" TERM; sleep 60 & echo $! > "$HOME/../inner"; wait; wait; sleep 60';

  /** The kernel takes a moment to end what was killed; its pipes are closed before that. */
  async function expectInnerGone(): Promise<void> {
    await vi.waitFor(() => expect(isAlive()).toBe(false), { timeout: 30_000 });
  }

  function isAlive(): boolean {
    const inner = Number(readFileSync(join(folder, "inner"), "utf8"));
    try {
      // A process that has ended but was not waited for by anybody is no longer alive either.
      return !readFileSync(`/proc/${inner}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  }

  it("answers with its exit code and output", async () => {
    const run = withProgram('cat; echo "$@"; echo oops >&2; exit 3');
    const ran = await run({ args: ["x", "--", "-y"], gitDir: "/some/where", input: Buffer.from("in ") });
    expect(ran).toMatchObject({ code: 3, stderr: "oops", isCut: false });
    expect(ran.stdout.toString()).toBe("in --git-dir=/some/where x -- -y\n");
    await expect(mustRun(run, { args: ["x"] })).rejects.toMatchObject({ kind: "failed" });
  });

  it("gets an environment made from nothing", async () => {
    const ran = await withProgram("env")({ args: ["x"] });
    const names = ran.stdout
      .toString()
      .split("\n")
      .map((line) => line.split("=")[0] ?? "");
    const foreign = names.filter((name) => name !== "" && !/^(?:GIT_|PWD$|_$|SHLVL$|OLDPWD$)/.test(name));
    expect(foreign.sort()).toEqual(["HOME", "LC_ALL", "PATH", "SSH_ASKPASS", "TMPDIR", "XDG_CONFIG_HOME"]);
    expect(ran.stdout.toString()).toContain("GIT_ALLOW_PROTOCOL=none\n");
  });

  it("is ended with everything it started when its time is up, however stubborn", async () => {
    const run = withProgram(stubborn, { commandMsMax: 3_000 });
    await expect(run({ args: ["x"] })).rejects.toMatchObject({ kind: "timeout" });
    await expectInnerGone();
  });

  it("is ended when the call is cancelled", async () => {
    const control = new AbortController();
    const running = withProgram(stubborn)({ args: ["x"], signal: control.signal });
    while (!existsSync(join(folder, "inner"))) await new Promise((resolve) => setTimeout(resolve, 5));
    control.abort();
    await expect(running).rejects.toMatchObject({ kind: "cancelled" });
    await expectInnerGone();
  });

  it("is not started for a call that is already cancelled", async () => {
    const run = withProgram('touch "$HOME/started"');
    await expect(run({ args: ["x"], signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: "cancelled" });
    expect(existsSync(join(folder, "home", "started"))).toBe(false);
  });

  it("is ended when it says too much, or cut short where that is allowed", async () => {
    const run = withProgram("yes");
    await expect(run({ args: ["x"], stdoutBytesMax: 1000 })).rejects.toMatchObject({ kind: "over_limit" });
    const ran = await run({ args: ["x"], stdoutBytesMax: 1000, mayCut: true });
    expect(ran).toMatchObject({ isCut: true });
    expect(ran.stdout).toHaveLength(1000);
  });

  it.runIf(process.platform === "linux")("may have so much memory, and more where it deals with packs", async () => {
    const run = withProgram("ulimit -v", { memoryBytesMax: 1024 * 1_000_000, packMemoryBytesMax: 1024 * 2_000_000 });
    const said = [{ args: ["diff-tree"] }, { args: ["repack"] }, { args: ["fetch"], remote }].map(async (each) =>
      (await run(each)).stdout.toString(),
    );
    expect(await Promise.all(said)).toEqual(["1000000\n", "2000000\n", "2000000\n"]);
  });

  it("that wanted more memory than it may have says so", async () => {
    const run = withProgram('echo "fatal: Out of memory, malloc failed (tried to allocate 9 bytes)" >&2; exit 128');
    await expect(mustRun(run, { args: ["diff-tree"] })).rejects.toMatchObject({
      kind: "over_limit",
      message: expect.stringContaining("memoryBytesMax"),
    });
  });

  it.each([
    ["compare", { args: ["diff-tree"] }],
    ["fetch", { args: ["fetch"], remote }],
  ])("waits for its turn where as many %s as may", async (_what, run) => {
    const goOn = join(folder, "home", "go");
    // Says how many there are of it when it may go on; a test that fails leaves nothing that waits for ever.
    const script = `[ "$1" = light ] && exit 0
      touch "$HOME/run.$$"; n=0; while [ ! -e "$HOME/go" ] && [ $n -lt 6000 ]; do n=$((n + 1)); sleep 0.01; done; ls "$HOME" | grep -c run; rm "$HOME/run.$$"`;
    const start = withProgram(script, { heavyAtOnceMax: 1, networkAtOnceMax: 1 });
    const running = [start(run), start(run)];
    // Meanwhile the second one would have begun long ago.
    for (let count = 0; count < 10; count++) await start({ args: ["light"] });
    await vi.waitFor(() => expect(readdirSync(join(folder, "home"))).toHaveLength(1), { timeout: 30_000 });
    writeFileSync(goOn, "");
    expect((await Promise.all(running)).map(({ stdout }) => stdout.toString())).toEqual(["1\n", "1\n"]);
  });

  it("is ended when what it makes is measured as too large", async () => {
    const run = withProgram("sleep 60", { measureMs: 5 });
    const running = run({ args: ["x"], measure: async () => "too large" });
    await expect(running).rejects.toMatchObject({ kind: "over_limit" });
  });

  it("complains without secrets, addresses, control characters and length", async () => {
    const run = withProgram(
      'printf "fatal: s3cret at https://host.invalid/x\\n\\033[31mred" >&2; printf "%2000s" z >&2; exit 1',
    );
    const ran = await run({ args: ["x"], remote });
    expect(ran.stderr).toBe("fatal: *** at *** [31mred z");
    const flood = await withProgram("yes 0123456789 | head -c 1000000 >&2; exit 1")({ args: ["x"] });
    expect(flood.stderr.length).toBeLessThan(700);
  });

  it("complains without saying where its repository lies on this machine", async () => {
    const run = withProgram("echo \"fatal: not a git repository: '/srv/drover/mirrors/7'\" >&2; exit 128");
    const ran = await run({ args: ["grep"], gitDir: "/srv/drover/mirrors/7" });
    expect(ran.stderr).toBe("fatal: not a git repository: '***'");
  });

  it("that does not exist, or is too old, is said to be so", async () => {
    const limits = defaultGitLimits;
    const none = createRunGit({ searchPath: join(folder, "home"), home: join(folder, "home"), limits });
    await expect(none({ args: ["version"] })).rejects.toMatchObject({ kind: "unsupported" });
    const old = withProgram("echo git version 2.30.2");
    await expect(checkGitVersion(old)).rejects.toThrow("Drover needs git 2.35.2 or newer; found 2.30.2.");
    await expect(checkGitVersion(withProgram("echo hello"))).rejects.toMatchObject({ kind: "unsupported" });
    expect(await checkGitVersion(withProgram("echo git version 2.39.5.windows.1"))).toBe("2.39.5");
  });
});

it("versions are compared by their numbers", () => {
  const older = ["2.9", "2.35", "2.35.1", "1.99.9"].filter((version) => isOlder(version, "2.35.2"));
  expect(older).toEqual(["2.9", "2.35", "2.35.1", "1.99.9"]);
  expect(["2.35.2", "2.35.10", "2.36", "3.0"].filter((version) => isOlder(version, "2.35.2"))).toEqual([]);
});
