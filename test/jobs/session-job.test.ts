import { describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { after, minuteMs } from "#core/model/instant.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { MemoryFolder } from "#git/memory-folder.ts";
import { createObserver } from "#observe/observe.ts";
import type { Agent, SessionJob, SessionOutcome } from "#ports/agent.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { GitError, type Mirror } from "#ports/git.ts";
import type { Store } from "#ports/store.ts";
import { type JobWorld, openJobWorld, type WorldOptions } from "./job-world.ts";

interface ScriptedAgent extends Agent {
  readonly jobs: SessionJob[];
}

type Work = (folder: MemoryFolder, job: SessionJob) => Promise<SessionOutcome>;

const fixing = { fix: { onFeedback: true, quietMs: 0 } } as const;

/** A world in which an agent works on folders in memory. It needs the world for that, so it comes after it. */
async function withAgent(
  work: Work,
  options: WorldOptions = {},
): Promise<{ readonly world: JobWorld; readonly agent: ScriptedAgent }> {
  const jobs: SessionJob[] = [];
  let found: JobWorld["memoryGit"] = null;
  const agent: ScriptedAgent = {
    jobs,
    run: async (job) => {
      jobs.push(job);
      const folder = found?.findFolder(job.workspace);
      if (folder === undefined) throw new Error("there is no such folder");
      return await work(folder, job);
    },
  };
  const world = await openJobWorld({ rules: fixing, ...options, dependencies: { agent, ...options.dependencies } });
  found = world.memoryGit;
  await world.tick();
  return { world, agent };
}

function isReview(id: string): boolean {
  return id.startsWith("review:");
}

/** Changes the file and says that everything is done. */
const obedient: Work = async (folder, { feedback }) => {
  folder.write("src/app.js", "walk();\n");
  const addressed = feedback.map(({ id }) => id);
  return { kind: "changed", summary: "Walks now.", addressed, notAddressed: [], costMicroUsd: 7 };
};

const boastful: Work = async () => ({
  kind: "changed",
  summary: "All done.",
  addressed: [],
  notAddressed: [],
  costMicroUsd: 0,
});

/** Rita asks for a change on the first line, formally. */
async function requestChanges(world: JobWorld): Promise<void> {
  await world.as("rita").review(world.pull, {
    event: "request_changes",
    body: "Not like this.",
    remarks: [{ path: "src/app.js", side: "new", lines: { first: 1, last: 1 }, body: "Walk instead." }],
  });
  await world.tick();
}

async function lastSession(world: JobWorld): Promise<SessionRecord> {
  const session = (await world.records()).sessions.at(-1);
  if (session === undefined) throw new Error("there is no session");
  return session;
}

/** As the forge tells it: what was pushed behind its back it knows from a call on. */
async function headOf(world: JobWorld): Promise<string> {
  return (await world.dependencies.forge.fetchPull(world.pull)).pull.head.sha;
}

function reports(world: JobWorld): readonly string[] {
  return world.said().filter((body) => body.includes("Pushed `"));
}

/** The same git with one call of every mirror replaced. */
function meddled(dependencies: Dependencies, over: (mirror: Mirror) => Partial<Mirror>): Dependencies {
  const { git } = dependencies;
  return {
    ...dependencies,
    git: {
      ...git,
      findMirror: async (key) => {
        const mirror = await git.findMirror(key);
        return mirror && { ...mirror, ...over(mirror) };
      },
    },
  };
}

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
    const lossy = meddled(world.dependencies, (mirror) => ({
      push: async (request) => {
        await mirror.push(request);
        return { kind: "unknown", why: "no_answer" };
      },
    }));
    expect(await world.job("session", { dependencies: lossy })).toMatchObject({ kind: "again" });
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
    const lossy = meddled(world.dependencies, (mirror) => ({
      push: async (request) => {
        await mirror.push(request);
        return { kind: "unknown", why: "no_answer" };
      },
    }));
    expect(await world.job("session", { dependencies: lossy })).toMatchObject({ kind: "again" });
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
