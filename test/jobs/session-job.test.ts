import { describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { after, minuteMs } from "#core/model/instant.ts";
import { createObserver } from "#observe/observe.ts";
import type { JobWorld } from "./job-world.ts";

import {
  boastful,
  headOf,
  isReview,
  lastSession,
  obedient,
  reports,
  requestChanges,
  withAgent,
} from "./session-world.ts";

describe("a session", () => {
  it("pushes what the agent made, answers in the thread, and asks for another look", async () => {
    const { world, agent } = await withAgent(obedient);
    await requestChanges(world);
    const before = await headOf(world);
    expect(await world.job("session")).toEqual({ kind: "finished" });
    const session = await lastSession(world);
    expect(session).toMatchObject({ head: before, state: { kind: "pushed", head: await headOf(world) } });
    expect(await headOf(world)).not.toBe(before);
    expect(agent.jobs[0]?.feedback.map(({ login, body, place }) => [login, body, place?.lines ?? null])).toEqual([
      ["rita", "Walk instead.", { kind: "proven", first: 1, last: 1, text: "run();" }],
      ["rita", "Not like this.", null],
    ]);
    expect(world.repliesIn(world.threadOn("src/app.js"))).toHaveLength(1);
    expect(reports(world)).toHaveLength(1);
    expect(reports(world)[0]).toMatch(/^<!-- drover:effect \w+ -->\n@rita\n\nPushed `/);
    const requested = world.sandbox.history.filter(({ what }) => what.kind === "review_requested");
    expect(requested.map(({ what }) => what.kind === "review_requested" && what.of.map(({ login }) => login))).toEqual([
      ["rita"],
    ]);
    expect((await world.records()).spentMicroUsd).toBe(7);
  });

  it("gives the words of others to the agent as data alone", async () => {
    const { world, agent } = await withAgent(obedient);
    await requestChanges(world);
    await world.job("session");
    const prompt = agent.jobs[0]?.prompt ?? [];
    expect(prompt.filter(({ text }) => text.includes("Walk instead.")).map(({ kind }) => kind)).toEqual(["data"]);
  });

  it("leaves what arrived meanwhile to the next one", async () => {
    const box: { world?: JobWorld } = {};
    const { world, agent } = await withAgent(async (folder, job) => {
      if (agent.jobs.length === 1) {
        await box.world?.as("rita").comment(world.pull, "And run faster.");
        await box.world?.tick();
      }
      folder.write("src/app.js", `walk(${agent.jobs.length});\n`);
      const addressed = job.feedback.map(({ id }) => id);
      return { kind: "changed", summary: "", addressed, notAddressed: [], costMicroUsd: 0 };
    });
    box.world = world;
    await requestChanges(world);
    await world.job("session");
    await world.tick();
    await world.tick();
    await world.job("session");
    expect(agent.jobs.map(({ feedback }) => feedback.map(({ body }) => body))).toEqual([
      ["Walk instead.", "Not like this."],
      ["And run faster."],
    ]);
  });

  it("leaves what the agent did not address open, and says so there alone", async () => {
    const { world } = await withAgent(async (folder, { feedback }) => {
      folder.write("src/app.js", "walk();\n");
      const ids = feedback.map(({ id }) => id);
      const notAddressed = ids.filter((id) => !isReview(id)).map((id) => ({ id, why: "Too hard." }));
      return { kind: "changed", summary: "", addressed: ids.filter(isReview), notAddressed, costMicroUsd: 0 };
    });
    await requestChanges(world);
    const told = (await lastSession(world)).feedback;
    await world.job("session");
    expect((await lastSession(world)).feedback).toEqual(told.filter(isReview));
    expect(reports(world)[0]).toContain("- `rita`: Too hard.");
    expect(world.repliesIn(world.threadOn("src/app.js"))).toEqual([]);
  });

  it("is stalled without a change, whatever the agent says", async () => {
    const { world } = await withAgent(boastful);
    await requestChanges(world);
    await world.job("session");
    expect((await lastSession(world)).state).toMatchObject({ kind: "stalled" });
    expect(reports(world)).toEqual([]);
  });

  it("is stalled by the same change again", async () => {
    const { world } = await withAgent(obedient);
    await requestChanges(world);
    await world.job("session");
    await world.push({ "src/app.js": "run();\n" });
    await world.as("rita").comment(world.pull, "You took it back.");
    await world.tick();
    await world.job("session");
    expect((await world.records()).sessions.map(({ state }) => state.kind)).toEqual(["pushed", "stalled"]);
  });

  it("fails where the change touches what runs in CI", async () => {
    const { world } = await withAgent(async (folder, job) => {
      folder.write(".github/workflows/ci.yml", "on: push\n");
      return await obedient(folder, job);
    });
    await requestChanges(world);
    await world.job("session");
    const why = "The change was refused: .github/workflows/ci.yml is protected.";
    expect((await lastSession(world)).state).toEqual({ kind: "failed", why });
  });

  it("fails at its limit of time", async () => {
    const { world } = await withAgent(
      async (_folder, { signal }) =>
        await new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            resolve({ kind: "failed", why: "stopped", retryAt: null, costMicroUsd: 1 });
          });
        }),
    );
    await requestChanges(world);
    const ended = world.job("session");
    await world.clock.advance(10 * minuteMs);
    await ended;
    expect((await lastSession(world)).state).toEqual({
      kind: "failed",
      why: "The session reached its limit of 10 min.",
    });
  });

  it("writes nothing once its lease is lost, and leaves no folder behind", async () => {
    const lease = new AbortController();
    const { world, agent } = await withAgent(async (folder, job) => {
      lease.abort();
      return await obedient(folder, job);
    });
    await requestChanges(world);
    const before = await world.records();
    await world.job("session", { signal: lease.signal });
    expect(await world.records()).toEqual(before);
    expect(world.memoryGit?.findFolder(agent.jobs[0]?.workspace ?? "")).toBeUndefined();
    expect(reports(world)).toEqual([]);
  });

  it("repeats nothing of what the agent says that would act", async () => {
    const evil = "@drover merge\n@mia approve\n<img src=x>\nFixes #1";
    const { world } = await withAgent(async (folder, { feedback }) => {
      folder.write("src/app.js", "walk();\n");
      const addressed = ["made up", ...feedback.map(({ id }) => id)];
      return { kind: "changed", summary: evil, addressed, notAddressed: [], costMicroUsd: 0 };
    });
    await requestChanges(world);
    await world.job("session");
    expect(reports(world)[0]).not.toMatch(/@drover merge|@mia|<img/);
    expect(reports(world)[0]).toContain("2 remarks addressed");
    const mirror = await world.dependencies.git.findMirror(`test/${world.repository.id}`);
    const commit = HeadSha.parse(await headOf(world));
    const log = await mirror?.logOf({ commit, path: "src/app.js", entriesMax: 1 });
    expect(log?.kind === "log" && log.entries.map(({ subject }) => subject)).toEqual(["Address review feedback"]);
  });

  it("pushes nothing after somebody stopped it", async () => {
    const box: { world?: JobWorld } = {};
    const { world } = await withAgent(async (folder, job) => {
      await box.world?.as("rita").comment(world.pull, "@drover stop-fixing");
      await box.world?.tick();
      return await obedient(folder, job);
    });
    box.world = world;
    await requestChanges(world);
    const before = await headOf(world);
    await world.job("session");
    expect([await headOf(world), (await lastSession(world)).state.kind]).toEqual([before, "stopped"]);
  });

  it.each<[string, (world: JobWorld) => Promise<unknown>]>([
    ["a hold", (world) => world.as("mia").comment(world.pull, "@drover hold")],
    ["a draft", (world) => world.as("ada").editPull(world.pull, { isDraft: true })],
    ["the eyes of a reviewer", (world) => world.as("mia").react(world.pull, "eyes")],
  ])("pushes nothing after %s that no look has seen yet, and begins after none", async (_, happens) => {
    const box: { world?: JobWorld } = {};
    const { world, agent } = await withAgent(async (folder, job) => {
      if (box.world !== undefined) await happens(box.world);
      return await obedient(folder, job);
    });
    box.world = world;
    await requestChanges(world);
    const before = await headOf(world);
    await world.job("session");
    expect([await headOf(world), (await lastSession(world)).state.kind]).toEqual([before, "stopped"]);
    expect(reports(world)).toEqual([]);
    const other = await withAgent(obedient);
    await requestChanges(other.world);
    await happens(other.world);
    await other.world.job("session");
    expect((await lastSession(other.world)).state.kind).toBe("stopped");
    expect([agent.jobs.length, other.agent.jobs.length]).toEqual([1, 0]);
  });

  it("does not begin for a head in a fork", async () => {
    const { world, agent } = await withAgent(obedient);
    await requestChanges(world);
    const { forge } = world.dependencies;
    const forked: typeof forge = {
      ...forge,
      fetchPull: async (ref) => {
        const seen = await forge.fetchPull(ref);
        return { ...seen, pull: { ...seen.pull, head: { ...seen.pull.head, isFork: true } } };
      },
    };
    await world.job("session", { observer: createObserver({ ...world.dependencies, forge: forked }) });
    expect((await lastSession(world)).state).toMatchObject({ kind: "unfinished", cause: "not_begun" });
    expect(agent.jobs).toHaveLength(0);
  });

  it("is tried again when the agent said to come back, and pays for both", async () => {
    const { world, agent } = await withAgent(async (folder, job) => {
      if (agent.jobs.length > 1) return await obedient(folder, job);
      return { kind: "failed", why: "busy", retryAt: after(world.clock.now(), minuteMs), costMicroUsd: 2 };
    });
    await requestChanges(world);
    expect(await world.job("session")).toEqual({ kind: "again", at: after(world.clock.now(), minuteMs) });
    await world.clock.advance(minuteMs);
    await world.job("session");
    expect((await lastSession(world)).state.kind).toBe("pushed");
    expect((await world.records()).spentMicroUsd).toBe(9);
  });

  it("is no attempt where nobody configured an agent", async () => {
    const { world } = await withAgent(obedient, { dependencies: { agent: null } });
    await requestChanges(world);
    await world.job("session");
    expect((await lastSession(world)).state).toEqual({
      kind: "unfinished",
      cause: "not_begun",
      why: "No coding agent is configured.",
    });
  });
});
