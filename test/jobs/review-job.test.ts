import { describe, expect, it } from "vitest";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import { type ReviewRun, type RunState } from "#core/model/records.ts";
import { reviewJobKey } from "#ports/job-entries.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import type { Store } from "#ports/store.ts";
import { silentLog } from "#testing/makers.ts";
import { aCompletedReview, aRawFinding, aReviewer, onlyModel } from "#testing/review-makers.ts";
import { type JobWorld, openJobWorld, type WorldOptions } from "./job-world.ts";

const rulesByModel = { reviews: { roles: [{ name: "general", reviewer: "model" as const }] } };

interface Scripted extends Reviewer {
  readonly jobs: ReviewJob[];
}

/** Answers with what the script says for each call; the last one goes on. */
function scripted(...script: readonly ReviewOutcome[]): Scripted {
  const jobs: ReviewJob[] = [];
  const reviewer = aReviewer((job) => {
    const outcome = script[Math.min(jobs.length, script.length - 1)];
    jobs.push(job);
    if (outcome === undefined) throw new Error("the script is empty");
    return outcome;
  });
  return { ...reviewer, jobs };
}

function found(...findings: readonly RawFinding[]): ReviewOutcome {
  return aCompletedReview({ findings, summary: "Looked.", costMicroUsd: 5 });
}

async function withReviewer(reviewer: Reviewer, options: WorldOptions = {}): Promise<JobWorld> {
  const parts = { ...options.dependencies, reviewers: onlyModel(reviewer) };
  const world = await openJobWorld({ rules: rulesByModel, ...options, dependencies: parts });
  await world.tick();
  return world;
}

async function lastRun(world: JobWorld): Promise<ReviewRun> {
  const run = (await world.records()).runs.at(-1);
  if (run === undefined) throw new Error("there is no run");
  return run;
}

function kindOf({ state }: { readonly state: RunState | Finding["state"] }): string {
  return state.kind;
}

/** Another head, looked at and reviewed. */
async function nextRound(world: JobWorld, changes: Parameters<JobWorld["push"]>[0]): Promise<void> {
  await world.push(changes);
  await world.tick();
  await world.job("review");
}

describe("a review job", () => {
  it("writes down what the rules found, and pokes the pull", async () => {
    const world = await openJobWorld({ changes: { "src/app.js": "debugger;\nrun();\n" } });
    await world.tick();
    expect(await world.job("review")).toEqual({ kind: "finished" });
    const { findings, runs } = await world.records();
    expect(findings.map(({ path, lines, state }) => [path, lines.first, state.kind])).toEqual([
      ["src/app.js", 1, "open"],
    ]);
    expect(runs.at(-1)?.state).toMatchObject({ kind: "completed", findings: findings.map(({ id }) => id) });
    expect(await world.dependencies.queue.nextDue(["tick"])).toBe(world.clock.now());
  });

  it("leaves out the paths that the rules name", async () => {
    const rules = { reviews: { excludedPaths: ["src/"] } };
    const world = await openJobWorld({ rules, changes: { "src/app.js": "debugger;\nrun();\n" } });
    await world.tick();
    await world.job("review");
    expect((await world.records()).findings).toEqual([]);
    expect((await lastRun(world)).state).toMatchObject({
      coverage: { filesRead: 0, unread: [{ path: "src/app.js", why: "excluded" }] },
    });
  });

  it("counts what it cost", async () => {
    const world = await withReviewer(scripted(found()));
    await world.job("review");
    expect((await world.records()).spentMicroUsd).toBe(5);
  });

  it("asks once, though the worker dies before it has written the result down", async () => {
    const reviewer = scripted(found(aRawFinding()));
    const world = await withReviewer(reviewer);
    const dying: Store = {
      ...world.dependencies.store,
      savePull: async () => {
        throw new Error("the worker died");
      },
    };
    await expect(world.job("review", { dependencies: { ...world.dependencies, store: dying } })).rejects.toThrow(
      "died",
    );
    expect(await lastRun(world)).toMatchObject({ state: { kind: "running" } });
    await world.job("review");
    expect(reviewer.jobs).toHaveLength(1);
    expect((await world.records()).findings).toHaveLength(1);
    expect((await world.records()).spentMicroUsd).toBe(5);
  });

  it("writes nothing once its lease is lost", async () => {
    const lease = new AbortController();
    const reviewer = scripted(found(aRawFinding()));
    const losing = aReviewer(async (job) => {
      lease.abort();
      return await reviewer.review(job);
    });
    const world = await withReviewer(losing);
    const before = await world.records();
    const key = reviewJobKey(pullKeyOf(world.dependencies.instance, world.pull), await lastRun(world));
    await world.job("review", { signal: lease.signal });
    expect(await world.records()).toEqual(before);
    expect(await world.dependencies.queue.nextDue(["tick"])).toBeUndefined();
    // Nor is it remembered: it may be the answer of somebody who was told to stop.
    expect(await world.dependencies.store.findStep({ job: key, step: "look" })).toBeUndefined();
  });

  it("does nothing for a run that was cancelled", async () => {
    const reviewer = scripted(found());
    const world = await withReviewer(reviewer);
    const claimed = await world.dependencies.queue.claim({ queues: ["review"], leaseMs: 1_000 });
    await world.as("mia").editPull(world.pull, { state: "closed" });
    await world.tick();
    if (claimed === null) throw new Error("no job");
    await world.dependencies.queue.put({ ...claimed, at: null, whileRunning: "skip" });
    expect(await world.job("review")).toEqual({ kind: "finished" });
    expect(reviewer.jobs).toHaveLength(0);
    expect(await lastRun(world)).toMatchObject({ state: { kind: "cancelled" } });
  });

  it("changes nothing when the run was cancelled while the reviewer was at work", async () => {
    const box: { world?: JobWorld } = {};
    const reviewer = scripted(found(aRawFinding()));
    const slow = aReviewer(async (job) => {
      await box.world?.as("ada").editPull(box.world.pull, { state: "closed" });
      await box.world?.tick();
      return await reviewer.review(job);
    });
    const world = await withReviewer(slow);
    box.world = world;
    await world.job("review");
    const { findings, runs, spentMicroUsd } = await world.records();
    expect([findings.length, runs.map(kindOf), spentMicroUsd]).toEqual([0, ["cancelled"], 0]);
  });

  it("fails with words on what to configure where nobody plays the role", async () => {
    const world = await openJobWorld({ rules: rulesByModel });
    await world.tick();
    await world.job("review");
    const { state } = await lastRun(world);
    expect(state).toMatchObject({ kind: "failed", attempts: 1 });
    expect(state.kind === "failed" && state.why).toContain('set the role\'s reviewer to "rules"');
  });

  it("fails until the reviewer said to come back, counts the attempts, and tells the log why", async () => {
    const warned: unknown[] = [];
    const warn = (facts: object, message: string): unknown => warned.push({ ...facts, message });
    const log = { ...silentLog, warn };
    const busy = scripted({ kind: "failed", why: "busy", retryAt: null }, found());
    const world = await withReviewer(busy, { dependencies: { log } });
    await world.job("review");
    const { state } = await lastRun(world);
    expect(state).toMatchObject({ kind: "failed", attempts: 1, why: "busy" });
    expect(warned).toMatchObject([{ attempt: 1, why: "busy", message: "a review failed" }]);
    await world.clock.advance(60_000);
    await world.tick();
    await world.job("review");
    expect(kindOf(await lastRun(world))).toBe("completed");
  });

  it("waits for a head that it does not find, and leaves the run to be begun anew", async () => {
    const reviewer = scripted(found());
    const world = await withReviewer(reviewer);
    await world.push({ "src/more.js": "more();\n" });
    expect(await world.job("review")).toMatchObject({ kind: "again" });
    expect(kindOf(await lastRun(world))).toBe("running");
    await world.clock.advance(60_000);
    expect(await world.job("review", { attempt: 5 })).toEqual({ kind: "finished" });
    expect(kindOf(await lastRun(world))).toBe("interrupted");
    expect(reviewer.jobs).toHaveLength(0);
  });

  it("says that nobody has read a change that is too large, and settles nothing by it", async () => {
    const world = await withReviewer(scripted(found(aRawFinding())));
    await world.job("review");
    await world.push({ "src/more.js": "more();\n" });
    await world.tick();
    const { git } = world.dependencies;
    const tooLarge: typeof git = {
      ...git,
      findMirror: async (key) => {
        const mirror = await git.findMirror(key);
        return mirror && { ...mirror, diff: async () => ({ kind: "over_limit", limit: "bytesMax", max: 1 }) };
      },
    };
    await world.job("review", { dependencies: { ...world.dependencies, git: tooLarge } });
    const { findings, runs } = await world.records();
    expect(findings.map(kindOf)).toEqual(["open"]);
    expect(runs.at(-1)?.state).toMatchObject({
      kind: "completed",
      coverage: { filesRead: 0, unread: [{ why: "size" }] },
      findings: findings.map(({ id }) => id),
    });
  });
});

describe("a finding", () => {
  it("is moved to the lines that it quotes", async () => {
    const wrong = aRawFinding({ lines: { first: 90, last: 90 }, snippet: "parse();" });
    const changes = { "src/app.js": "one();\ntwo();\nparse();\n" };
    const world = await withReviewer(scripted(found(wrong)), { changes });
    await world.job("review");
    expect((await world.records()).findings[0]?.lines).toEqual({ first: 3, last: 3 });
  });

  it("is kept where what it quotes is nowhere in the diff", async () => {
    const world = await withReviewer(
      scripted(found(aRawFinding({ snippet: "nowhere_at_all();", path: "src/other.js" }))),
    );
    await world.job("review");
    expect((await world.records()).findings).toHaveLength(1);
  });

  it("that a model mentions only in the second round, on code that did not change, is told in the summary alone", async () => {
    const late = aRawFinding({ rule: "late", lines: { first: 1, last: 1 } });
    const fresh = aRawFinding({ rule: "fresh", path: "src/more.js", snippet: "more();" });
    const world = await withReviewer(scripted(found(), found(late, fresh)));
    await world.job("review");
    await nextRound(world, { "src/more.js": "more();\n" });
    const { findings, runs } = await world.records();
    expect(findings).toMatchObject([{ rule: "fresh", isBlocking: true }]);
    expect(runs.at(-1)?.state).toMatchObject({ summary: expect.stringContaining(`\`src/app.js:1\` ${late.message}`) });
  });

  it("in a file that could not be read before blocks in the second round, and elsewhere is late", async () => {
    const changes = { "src/app.js": "run();\n", "src/huge.js": "huge();\n" };
    const partly = { ...found(), coverage: { filesRead: 1, unread: [{ path: "src/huge.js", why: "size" as const }] } };
    const unread = aRawFinding({ path: "src/huge.js", snippet: "huge();", message: "It is huge." });
    const world = await withReviewer(scripted(partly, found(unread, aRawFinding())), { changes });
    await world.job("review");
    await nextRound(world, { "src/more.js": "more();\n" });
    const { findings, runs } = await world.records();
    expect(findings).toMatchObject([{ path: "src/huge.js", isBlocking: true, round: 2 }]);
    expect(runs.at(-1)?.state).toMatchObject({ summary: expect.stringContaining("Do not run.") });
  });

  it("nobody mentions any more is at the lines where its code is now", async () => {
    const world = await withReviewer(scripted(found(aRawFinding()), found()));
    await world.job("review");
    await nextRound(world, { "src/app.js": "one();\ntwo();\nrun();\n" });
    expect((await world.records()).findings).toMatchObject([{ state: { kind: "open" }, lines: { first: 3, last: 3 } }]);
  });

  it("is no news after a rebase that changed nothing", async () => {
    const world = await withReviewer(scripted(found(), found(aRawFinding({ rule: "late" }))));
    await world.job("review");
    const { repository } = world;
    await world.as("mia").push({ repository, branch: "main", changes: { "other.txt": "x\n" }, message: "Other" });
    await world.as("mia").rebase(world.pull);
    await world.tick();
    await world.job("review");
    const { findings, runs } = await world.records();
    expect(findings).toEqual([]);
    expect(runs.at(-1)).toMatchObject({
      round: 2,
      state: { summary: expect.stringContaining("code that an earlier review covered") },
    });
  });

  it("of a model stands while its code is there, though nobody mentions it again", async () => {
    const world = await withReviewer(scripted(found(aRawFinding()), found()));
    await world.job("review");
    await nextRound(world, { "src/more.js": "more();\n" });
    expect((await world.records()).findings.map(kindOf)).toEqual(["open"]);
  });

  it("of a model stands where a formatter was run over its code", async () => {
    const world = await withReviewer(scripted(found(aRawFinding()), found()));
    await world.job("review");
    await nextRound(world, { "src/app.js": "{\n  run ( );\n}\n" });
    expect((await world.records()).findings.map(kindOf)).toEqual(["open"]);
  });

  it("of a model is fixed when its code is gone", async () => {
    const world = await withReviewer(scripted(found(aRawFinding()), found()));
    await world.job("review");
    await nextRound(world, { "src/app.js": "walk();\n" });
    expect((await world.records()).findings[0]?.state).toMatchObject({
      kind: "resolved",
      resolution: { how: "fixed" },
    });
  });
});
