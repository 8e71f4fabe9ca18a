import { describe, expect, it } from "vitest";
import { Budgets } from "#core/budget/budgets.ts";
import type { Spend } from "#core/budget/spend.ts";
import { dayMs } from "#core/model/instant.ts";
import type { Agent, SessionJob } from "#ports/agent.ts";
import type { Store } from "#ports/store.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { type JobWorld, openJobWorld } from "./job-world.ts";

interface Spending {
  readonly world: JobWorld;
  readonly jobs: SessionJob[];
  /** What `drover cost` sums up. */
  readonly written: readonly Spend[];
  readonly remark: (words: string) => Promise<void>;
}

/** An agent that spends all that it may, or what the test says. */
async function openSpending(
  budgets: Partial<Budgets>,
  {
    price,
    spends = ({ limits }) => limits.costMicroUsdMax,
  }: { readonly price?: Agent["price"]; readonly spends?: (job: SessionJob) => number | null } = {},
): Promise<Spending> {
  const jobs: SessionJob[] = [];
  const box: { world?: JobWorld } = {};
  const agent: Agent = {
    price,
    run: async (job) => {
      jobs.push(job);
      box.world?.memoryGit?.findFolder(job.workspace)?.write("src/app.js", `walk(${jobs.length});\n`);
      const addressed = job.feedback.map(({ id }) => id);
      return { kind: "changed", summary: "", addressed, notAddressed: [], costMicroUsd: spends(job) };
    },
  };
  const written: Spend[] = [];
  const kept = createMemoryStore();
  const store: Store = {
    ...kept,
    saveSpend: async (spend) => {
      written.push(spend);
      await kept.saveSpend(spend);
    },
  };
  const world = await openJobWorld({
    rules: { fix: { onFeedback: true, quietMs: 0, roundsMax: 100 } },
    dependencies: { agent, store, budgets: () => Budgets.parse(budgets) },
  });
  box.world = world;
  await world.tick();
  const remark = async (words: string): Promise<void> => {
    await world.as("rita").comment(world.pull, words);
    await world.tick();
  };
  return { world, jobs, written, remark };
}

async function spent(world: JobWorld): Promise<number> {
  return (await world.records()).spentMicroUsd;
}

describe("a session", () => {
  it("spends no more than a cap of $0.50, however many remarks there are", async () => {
    const { world, remark } = await openSpending({ pullUsd: 0.5 });
    let end: Awaited<ReturnType<JobWorld["job"]>>;
    for (let round = 0; round < 20 && end?.kind !== "waits"; round++) {
      await remark(`Change it, round ${round}.`);
      end = await world.job("session");
      await world.tick();
    }
    expect(end).toMatchObject({ kind: "waits" });
    expect(await spent(world)).toBeLessThanOrEqual(500_000);
    expect(await spent(world)).toBeGreaterThan(0);
    expect(world.said().filter((body) => body.includes("Fixing waits for money"))).toHaveLength(1);
  });

  it("does not begin where reviews and answers have used up the day, and begins with the next one", async () => {
    const { world, jobs, remark } = await openSpending({ dayUsd: 1 });
    const { instance, store, clock } = world.dependencies;
    await store.saveSpend({
      id: "a review",
      work: "a review",
      instance,
      repository: world.repository,
      pull: 4_711,
      head: null,
      role: "general",
      purpose: "review_find",
      model: "some/model",
      tokensIn: 1,
      tokensCached: 0,
      tokensOut: 1,
      costMicroUsd: 1_000_000,
      isPriced: true,
      ms: 1,
      outcome: "answered",
      delivery: "now",
      at: clock.now(),
    });
    await remark("Change it.");
    expect(await world.job("session")).toMatchObject({ kind: "waits" });
    expect(jobs).toHaveLength(0);
    await world.clock.advance(dayMs);
    expect(await world.job("session")).toMatchObject({ kind: "finished" });
    expect(jobs).toHaveLength(1);
  });

  it("is shown among what was spent", async () => {
    const { world, remark, written: spends } = await openSpending({ pullUsd: 10 }, { spends: () => 1_250_000 });
    await remark("Change it.");
    await world.job("session");
    const written = spends.map(({ role, purpose, pull, costMicroUsd }) => [role, purpose, pull, costMicroUsd]);
    expect(written).toEqual([[null, "session", world.pull.number, 1_250_000]]);
    expect(await spent(world)).toBe(1_250_000);
  });

  it("that cannot tell what it cost counts as all that it was allowed", async () => {
    const { world, remark } = await openSpending({ pullUsd: 2 }, { spends: () => null });
    await remark("Change it.");
    await world.job("session");
    expect(await spent(world)).toBe(1_250_000);
  });

  it("of an agent whose price nobody knows does not begin under a cap", async () => {
    const { world, jobs, remark } = await openSpending({ pullUsd: 2 }, { price: "unknown" });
    await remark("Change it.");
    expect(await world.job("session")).toMatchObject({ kind: "waits" });
    expect(jobs).toHaveLength(0);
  });

  it("keeps to what whoever said fix allowed", async () => {
    const { world, jobs, remark } = await openSpending({ pullUsd: 2 });
    await world.as("rita").comment(world.pull, "Change it.");
    await remark("@drover fix upto:$0.10");
    await world.job("session");
    expect(jobs.map(({ limits }) => limits.costMicroUsdMax)).toEqual([100_000]);
    expect(await spent(world)).toBe(100_000);
  });

  it("that costs nothing runs although no money is left", async () => {
    expect(suggestionsAgent().price).toBe("free");
    const { world, jobs, remark } = await openSpending({ pullUsd: 0 }, { price: "free", spends: () => 0 });
    await remark("Change it.");
    await world.job("session");
    expect(jobs).toHaveLength(1);
  });
});
