import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createRealGit } from "#git/real-git.ts";
import { createRealHost } from "#git/real-host.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { type JobWorld, openJobWorld } from "./job-world.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function realWorld(): Promise<JobWorld> {
  const folder = await mkdtemp(join(tmpdir(), "drover-jobs-"));
  folders.push(folder);
  const searchPath = process.env["PATH"] ?? "";
  const host = await createRealHost({ folder: join(folder, "forge"), searchPath });
  const git = await createRealGit({ folder: join(folder, "drover"), searchPath, protocols: ["file"], env: {} });
  return await openJobWorld({
    changes: { "src/app.js": "start();\ndebugger;\nfinish();\n" },
    dependencies: { agent: suggestionsAgent() },
    gits: { host, git },
  });
}

describe("the loop without a model or a network", () => {
  it("closes: the rules find, the suggestion is applied and pushed, and the finding is fixed", async () => {
    const world = await realWorld();
    await world.tick();
    await world.job("review");
    expect((await world.records()).findings.map(({ state }) => state.kind)).toEqual(["open"]);
    await world.as("rita").comment(world.pull, "@drover fix");
    await world.tick();
    expect(await world.job("session")).toEqual({ kind: "finished" });
    await world.tick();
    await world.job("review");
    const { findings, sessions } = await world.records();
    expect(sessions.map(({ state }) => state.kind)).toEqual(["pushed"]);
    expect(findings[0]?.state).toMatchObject({ kind: "resolved", resolution: { how: "fixed" } });
    const { head } = world.sandbox.look(world.pull).pull;
    const mirror = await world.dependencies.git.findMirror(`test/${world.repository.id}`);
    const file = await mirror?.readFile({ commit: head.sha, path: "src/app.js", bytesMax: 1_000 });
    expect(file?.kind === "file" && new TextDecoder().decode(file.bytes)).toBe("start();\nfinish();\n");
  });
});
