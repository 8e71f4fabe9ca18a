import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { GitError } from "#ports/git.ts";
import type { Store } from "#ports/store.ts";
import type { JobWorld } from "./job-world.ts";
import { headOf, lastSession, meddled, obedient, reports, requestChanges, withAgent } from "./session-world.ts";

/** Every push arrives, and its answer is lost. */
function withLostAnswers(dependencies: Dependencies): Dependencies {
  return meddled(dependencies, (mirror) => ({
    push: async (request) => {
      await mirror.push(request);
      return { kind: "unknown", why: "no_answer" };
    },
  }));
}

describe("a session whose answer is lost, or whose head moves", () => {
  it("is not repeated, though the worker dies after the push", async () => {
    const { world, agent } = await withAgent(obedient);
    await requestChanges(world);
    const { store } = world.dependencies;
    const dying: Store = {
      ...store,
      savePull: async (request) => {
        const isEnd = request.content.records.sessions.some(({ state }) => state.kind === "pushed");
        if (isEnd) throw new Error("the worker died");
        return await store.savePull(request);
      },
    };
    const dependencies = { ...world.dependencies, store: dying };
    await expect(world.job("session", { dependencies })).rejects.toThrow("died");
    const pushed = await headOf(world);
    expect((await lastSession(world)).state.kind).toBe("running");
    await world.clock.advance(minuteMs);
    await world.job("session");
    expect(agent.jobs).toHaveLength(1);
    expect(await headOf(world)).toBe(pushed);
    expect((await lastSession(world)).state).toMatchObject({ kind: "pushed", head: pushed });
    expect(world.repliesIn(world.threadOn("src/app.js"))).toHaveLength(1);
    expect(reports(world)).toHaveLength(1);
  });

  it("counts as pushed where the answer was lost, somebody has gone on from it, and the pull is closed", async () => {
    const { world } = await withAgent(obedient);
    await requestChanges(world);
    expect(await world.job("session", { dependencies: withLostAnswers(world.dependencies) })).toMatchObject({
      kind: "again",
    });
    const pushed = await headOf(world);
    await world.push({ "src/more.js": "more();\n" });
    await world.as("ada").editPull(world.pull, { state: "closed" });
    await world.clock.advance(2 * minuteMs);
    await world.job("session");
    expect((await lastSession(world)).state).toMatchObject({ kind: "pushed", head: pushed });
    expect(reports(world)).toHaveLength(1);
  });

  it("counts as pushed where the answer was lost, git is in trouble for long, and somebody has gone on from it", async () => {
    const { world, agent } = await withAgent(obedient);
    await requestChanges(world);
    expect(await world.job("session", { dependencies: withLostAnswers(world.dependencies) })).toMatchObject({
      kind: "again",
    });
    const pushed = await headOf(world);
    await world.push({ "src/more.js": "more();\n" });
    await world.clock.advance(2 * minuteMs);
    const slow = new GitError("timeout", "too long");
    const broken = meddled(world.dependencies, () => ({ push: () => Promise.reject(slow) }));
    expect(await world.job("session", { dependencies: broken, attempt: 9 })).toMatchObject({ kind: "again" });
    await world.clock.advance(70 * minuteMs);
    await world.job("session");
    expect((await lastSession(world)).state).toMatchObject({ kind: "pushed", head: pushed });
    expect(agent.jobs).toHaveLength(1);
  });

  it("is no failed attempt, and leaves the branch alone, where the head moved meanwhile", async () => {
    const box: { world?: JobWorld } = {};
    const { world } = await withAgent(async (folder, job) => {
      await box.world?.push({ "src/more.js": "more();\n" });
      return await obedient(folder, job);
    });
    box.world = world;
    await requestChanges(world);
    await world.job("session");
    expect((await lastSession(world)).state).toMatchObject({ kind: "unfinished", cause: "head_moved" });
    expect(world.sandbox.history.filter(({ by }) => by.login === "drover").map(({ what }) => what.kind)).not.toContain(
      "pushed",
    );
    expect(reports(world)).toEqual([]);
  });

  it("does not begin where the head moved before", async () => {
    const { world, agent } = await withAgent(obedient);
    await requestChanges(world);
    await world.push({ "src/more.js": "more();\n" });
    await world.job("session");
    expect((await lastSession(world)).state).toMatchObject({ kind: "unfinished", cause: "head_moved" });
    expect(agent.jobs).toHaveLength(0);
  });
});
