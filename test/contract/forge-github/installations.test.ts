import { afterEach, describe, expect, it } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { fetchInstallationRepositories } from "#forges/github/github-descriptor.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import type { SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { openStage, type Stage } from "#github-like/stage.ts";

let stage: Stage;
const clock = createSystemClock();

async function open(quirks: Partial<SandboxQuirks> = {}): Promise<void> {
  stage = await openStage(quirks, { tokenClock: clock });
}

afterEach(async () => {
  const { violations } = stage.github;
  await stage.github.close();
  if (violations.length > 0) throw new Error(violations.join("\n"));
});

function settings(installation: number | null = null) {
  const { id, privateKey } = stage.github.app;
  return {
    url: stage.github.url,
    access: { kind: "app", appId: String(id), privateKey, installation },
    clock,
  } as const;
}

/** Besides the one that is there from the beginning. */
async function addRepositories(count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `mia/more-${index}`);
  const { mia, drover } = stage.accounts;
  for (const name of names) {
    const repository = await stage.sandbox.createRepository({ name, by: mia, files: {} });
    stage.sandbox.setPermission({ repository, account: drover, permission: "write" });
  }
  return ["mia/tools", ...names];
}

function timesAsked(path: string): number {
  return stage.github.requests.filter((request) => request.path.split("?")[0] === path).length;
}

describe("the repositories of an installation", () => {
  it.each([
    ["more than two pages of them", 2 * githubLimits.pageSize + 30, 3],
    ["exactly a page of them", githubLimits.pageSize, 2],
    ["one of them", 1, 1],
  ])("are all told, with %s", async (_, count, requests) => {
    await open();
    const names = await addRepositories(count - 1);
    const told = await fetchInstallationRepositories(settings(stage.github.app.installation));
    expect(told).toEqual({ names, isCut: false });
    expect(timesAsked("/installation/repositories")).toBe(requests);
  });

  it("are all told where a page has fewer than were asked for, and another one follows", async () => {
    await open({ pageSize: 3 });
    const names = await addRepositories(7);
    expect(await fetchInstallationRepositories(settings())).toEqual({ names, isCut: false });
  });

  it("are told as far as anybody reads, and that there are more", async () => {
    await open({ pageSize: 1 });
    const names = await addRepositories(githubLimits.pagesMax);
    const told = await fetchInstallationRepositories(settings());
    expect(told).toEqual({ names: names.slice(0, githubLimits.pagesMax), isCut: true });
  });

  it("are found after more than a page of installations that are suspended", async () => {
    await open();
    stage.github.addSuspendedInstallations(githubLimits.pageSize + 1);
    expect(await fetchInstallationRepositories(settings())).toEqual({ names: ["mia/tools"], isCut: false });
  });
});

describe("an App that more than a page of its owners have suspended", () => {
  it("works by the installation that is left", async () => {
    await open();
    stage.github.addSuspendedInstallations(githubLimits.pageSize + 1);
    const { bot } = await createGithubClient(settings()).fetchIdentity();
    expect(bot.login).toBe("drover[bot]");
  });
});
