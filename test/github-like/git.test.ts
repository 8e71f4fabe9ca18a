import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { instant } from "#core/model/instant.ts";
import { git } from "#forge-like/plain-git.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { permissionsFor } from "#forges/github/github-rights.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { openTestForge } from "#harness/test-forge.ts";
import { stillClock } from "#testing/still-clock.ts";

const Repository = z.object({ clone_url: z.string() });
const Pull = z.object({ head: z.object({ sha: z.string() }) });

describe("git beside the served forge", () => {
  let folder: string;
  let github: GithubLike;
  let stage: Awaited<ReturnType<typeof openGitStage>>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "github-like-"));
    stage = await openGitStage(folder);
    github = stage.github;
  });
  afterEach(async () => {
    await github.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function askFor(path: string, token: string): Promise<unknown> {
    return (await fetch(github.url + path, { headers: { authorization: `Bearer ${token}` } })).json();
  }

  async function clone(token: string): Promise<string> {
    const { clone_url } = Repository.parse(await askFor("/repos/mia/tools", token));
    const url = new URL(clone_url);
    url.username = "x-access-token";
    url.password = token;
    const target = join(folder, `clone-${token}`);
    await git(folder, "clone", "--quiet", "--branch", "change", url.href, target);
    return target;
  }

  it("is cloned with a token, and a push with it moves the pull by the token's account", async () => {
    const target = await clone("drover");
    expect(await readFile(join(target, "a.txt"), "utf8")).toBe("ONE\n");
    await writeFile(join(target, "a.txt"), "FIXED\n");
    await git(target, "commit", "--quiet", "--all", "--message", "Fix");
    await git(target, "push", "--quiet", "origin", "HEAD:change");
    const { head } = Pull.parse(await askFor("/repos/mia/tools/pulls/1", "drover"));
    expect(head.sha).toBe((await git(target, "rev-parse", "HEAD")).trim());
    const pushed = stage.sandbox.history.findLast(({ what }) => what.kind === "head_changed");
    expect(pushed?.by.login).toBe("drover");
  });

  it("is not there for whoever has no token, and not to be written to by a token that only reads", async () => {
    const stranger = github.url.replace("//", "//x-access-token:nonsense@");
    await expect(git(folder, "ls-remote", `${stranger}/mia/tools.git`)).rejects.toThrow("Authentication failed");
    const token = github.issueToken({ bot: stage.drover, permissions: { contents: "read" } });
    const target = await clone(token);
    await writeFile(join(target, "a.txt"), "FIXED\n");
    await git(target, "commit", "--quiet", "--all", "--message", "Fix");
    await expect(git(target, "push", "--quiet", "origin", "HEAD:change")).rejects.toThrow("403");
  });

  it("is read with a token that cannot write, also by an App that may not", async () => {
    const { sandbox, drover, repository } = stage;
    const clock = { now: () => instant(Date.now()), sleep: async () => undefined };
    const served = await serveGithubLike({ sandbox, tokenClock: clock, gitRoot: join(folder, "host") });
    try {
      const { id, privateKey } = served.installApp({ bot: drover, permissions: permissionsFor.look });
      const access = { kind: "app", appId: String(id), privateKey, installation: null } as const;
      const client = createGithubClient({ url: served.url, access, clock });
      const { url, credential } = await client.fetchRemote(repository, "read");
      const address = url.replace("//", `//x-access-token:${credential?.reveal()}@`);
      expect(await git(folder, "ls-remote", address, "refs/heads/change")).toContain("refs/heads/change");
      await expect(git(await clone("drover"), "push", "--quiet", address, "HEAD:other")).rejects.toThrow("403");
      await expect(client.fetchRemote(repository, "push")).rejects.toMatchObject({ isApplied: "no" });
    } finally {
      await served.close();
    }
  });
});

async function openGitStage(folder: string) {
  const root = join(folder, "host");
  const forge = await openTestForge({
    clock: stillClock(),
    manner: "github",
    gitFolder: root,
    files: { "a.txt": "one\n" },
    people: { mia: "owner", drover: { kind: "bot", may: "write" } },
  });
  await forge.openPull({ branch: "change", files: { "a.txt": "ONE\n" } });
  const { sandbox, repository } = forge;
  const { drover } = forge.accounts;
  const github = await serveGithubLike({ sandbox, app: { bot: drover }, gitRoot: root });
  github.tokens.set("drover", drover);
  return { sandbox, github, drover, repository };
}
