import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { git } from "#forge-like/plain-git.ts";
import { type GiteaLike, serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { openTestForge } from "#harness/test-forge.ts";
import { stillClock } from "#testing/still-clock.ts";

const Repository = z.object({ clone_url: z.string() });
const Pull = z.object({ head: z.object({ sha: z.string() }) });

describe("git beside the served forge", () => {
  let folder: string;
  let gitea: GiteaLike;
  let stage: Awaited<ReturnType<typeof openGitStage>>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "gitea-like-"));
    stage = await openGitStage(folder);
    gitea = stage.gitea;
  });
  afterEach(async () => {
    await gitea.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function askFor(path: string, token: string): Promise<unknown> {
    return (await fetch(gitea.url + path, { headers: { authorization: `token ${token}` } })).json();
  }

  async function clone(token: string): Promise<string> {
    const { clone_url } = Repository.parse(await askFor("/api/v1/repos/mia/tools", token));
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
    const { head } = Pull.parse(await askFor("/api/v1/repos/mia/tools/pulls/1", "drover"));
    expect(head.sha).toBe((await git(target, "rev-parse", "HEAD")).trim());
    const pushed = stage.sandbox.history.findLast(({ what }) => what.kind === "head_changed");
    expect(pushed?.by.login).toBe("drover");
  });

  it("knows a token for a name as well, and the head of a pull by a ref of its own", async () => {
    const url = gitea.url.replace("//", "//drover:x-oauth-basic@");
    const listed = await git(folder, "ls-remote", `${url}/mia/tools.git`, "refs/pull/1/head");
    const { head } = Pull.parse(await askFor("/api/v1/repos/mia/tools/pulls/1", "drover"));
    expect(listed.split("\t")[0]).toBe(head.sha);
  });

  it("is not there for whoever has no token, and not to be written to by a reader", async () => {
    const stranger = gitea.url.replace("//", "//x-access-token:nonsense@");
    await expect(git(folder, "ls-remote", `${stranger}/mia/tools.git`)).rejects.toThrow("Authentication failed");
    const target = await clone("otto");
    await writeFile(join(target, "a.txt"), "FIXED\n");
    await git(target, "commit", "--quiet", "--all", "--message", "Fix");
    await expect(git(target, "push", "--quiet", "origin", "HEAD:change")).rejects.toThrow("403");
  });
});

async function openGitStage(folder: string) {
  const root = join(folder, "host");
  const forge = await openTestForge({
    clock: stillClock(),
    manner: "gitea",
    gitFolder: root,
    files: { "a.txt": "one\n" },
    people: { mia: "owner", drover: { kind: "bot", may: "write" }, otto: "stranger" },
  });
  await forge.openPull({ branch: "change", files: { "a.txt": "ONE\n" } });
  const { sandbox } = forge;
  const { drover, otto } = forge.accounts;
  const gitea = await serveGiteaLike({ sandbox, gitRoot: root });
  gitea.tokens.set("drover", drover).set("otto", otto);
  return { sandbox, gitea };
}
