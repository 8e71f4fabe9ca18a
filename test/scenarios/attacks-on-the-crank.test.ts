// @module-tag crash

import { describe, expect, it } from "vitest";
import { after, hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Answerer } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { watchedFate } from "#town/fate.ts";
import { blankedComments, botComments, botReviews, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, type Town } from "#town/town.ts";

/** Nobody watches for thumbs, so that nothing makes Drover look again but what it asks for itself. */
const formal = { approval: { protocols: "reviews" } } as const;
const clean: ReviewOutcome = {
  kind: "completed",
  findings: [],
  coverage: { filesRead: 1, unread: [] },
  summary: "Fine.",
  costMicroUsd: 5,
};

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(5 * minuteMs);
  return pull;
}

async function ticksDuring(town: Town, ms: number): Promise<number> {
  const before = town.reports.length;
  await town.pass(ms);
  return town.reports.length - before;
}

/** A pull that nobody but the story wakes Drover for. */
async function putTick(town: Town, pull: PullRef): Promise<void> {
  await town.dependencies.queue.put(tickEntry(town.dependencies.instance, pull));
}

/** Time in small steps, for workers that are busy with something long. */
async function passSlowly(town: Town, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * secondMs) await town.pass(5 * secondMs);
}

describe("Drover keeps itself busy", () => {
  it("looking at a pull every two seconds for as long as a model is down", async () => {
    const model: Answerer = {
      ask: async () => ({ kind: "failed", why: "down", retryAt: after(town.machine.now(), 30 * minuteMs) }),
    };
    const town: Town = await buildTown({ rules: formal, parts: () => ({ model }) });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover what is this?");
    expect(await ticksDuring(town, 10 * minuteMs)).toBeLessThan(10);
  });

  it("looking at every pull every ten seconds for as long as a chat does not listen", async () => {
    let isDeaf = true;
    let heard = 0;
    const notify = async (): Promise<void> => {
      if (isDeaf) throw new Error("connection refused");
      heard++;
    };
    const town = await buildTown({ rules: formal, parts: () => ({ notifier: { notify } }) });
    await opened(town);
    expect(await ticksDuring(town, hourMs)).toBeLessThan(15);
    isDeaf = false;
    await town.pass(15 * minuteMs);
    expect(heard).toBe(1);
  });

  it("posting its review as fast as another bot dismisses it", async () => {
    const town = await buildTown({ rules: formal });
    const pull = await town.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await town.settle();
    town.sandbox.subscribe(() => {
      const standing = botReviews(town, pull).filter(({ state }) => state === "changes_requested");
      for (const { id } of standing)
        void town
          .as(town.mia)
          .dismissReview(pull, id)
          .catch(() => undefined);
    });
    await town.as(town.rita).comment(pull, "Off we go.");
    await town.pass(3 * hourMs);
    expect(botReviews(town, pull).length).toBeLessThan(20);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("taking a large pull from its other worker, whose look takes longer than a lease", async () => {
    const town = await buildTown({ rules: formal, network: () => undefined });
    town.dismissAll();
    const pull = await town.open();
    const { forge } = town.dependencies;
    let looking = 0;
    const slow: typeof forge = {
      ...forge,
      fetchPull: async (ref) => {
        looking++;
        await town.clock.sleep(65 * secondMs);
        looking--;
        return await forge.fetchPull(ref);
      },
    };
    for (let workers = 0; workers < 2; workers++) {
      town.hire({ forge: slow }, { ...watchedFate(), isAway: () => looking > 0 });
    }
    await putTick(town, pull);
    await passSlowly(town, 15 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
  });
});

describe("a pull is never looked at again", () => {
  it("because two others waited for the same base branch", async () => {
    const merge = { when: "when_approved", how: "queue", requireCI: false } as const;
    const town = await buildTown({ rules: { ...formal, merge } });
    const pulls: PullRef[] = [];
    for (const branch of ["one", "two", "three"]) {
      pulls.push(await town.open({ branch, files: { [`${branch}.md`]: `${branch}\n` } }));
    }
    await town.settle();
    await town.pass(minuteMs);
    for (const pull of pulls) await town.as(town.rita).review(pull, { event: "approve", body: "" });
    await town.pass(5 * minuteMs);
    expect(pulls.map((pull) => town.look(pull).merged?.head === town.headOf(pull))).toEqual([true, true, true]);
  });

  it("because the forge did not show it yet when it was opened", async () => {
    const town = await buildTown();
    town.faults.always(({ endpoint }) => endpoint === "get_pull", { kind: "stale", ms: 50 * secondMs });
    const pull = await town.open();
    await town.settle();
    await town.pass(minuteMs);
    town.faults.clear();
    // The poller has seen it, and nothing new happens.
    await town.settle();
    await town.pass(10 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it("because somebody who spoke on it has deleted their account", async () => {
    const town: Town = await buildTown({
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          fetchPermission: async (request) => {
            if (request.account.id !== town.otto.id) return await forge.fetchPermission(request);
            throw new ForgeError("not_found", "no such user", { isApplied: "no" });
          },
        },
      }),
    });
    const pull = await opened(town);
    await town.as(town.otto).comment(pull, "I like it.");
    await town.pass(minuteMs);
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(10 * minuteMs);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
  });

  it("although something that it said twice could not be blanked", async () => {
    const town = await buildTown({ rules: formal });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.as(town.rita).review(pull, { event: "approve", body: "" });
    await town.pass(5 * minuteMs);
    const managed = new Set(managedComments(town, pull).map(({ id }) => id));
    const answer = botComments(town, pull).find(({ id }) => !managed.has(id));
    town.faults.next("edit_comment", { kind: "server_error", isApplied: false });
    await town.dependencies.forge.createComment({ pull, body: answer?.body ?? "" });
    await town.pass(10 * minuteMs);
    expect(blankedComments(town, pull)).toHaveLength(1);
  });
});

describe("two clocks", () => {
  it.each([-1, 5])("that are %i hours apart do not change when a failed look is tried again", async (hours) => {
    const looks: number[] = [];
    const review = async (): Promise<ReviewOutcome> => {
      looks.push(town.clock.now());
      return { kind: "failed", why: "the provider is down", retryAt: null };
    };
    const town: Town = await buildTown({
      rules: formal,
      parts: ({ reviewers }) => ({ reviewers: { ...reviewers, rules: { review } } }),
    });
    town.machine.moveHands(hours * hourMs);
    await town.open();
    await town.pass(15 * secondMs);
    expect(looks).toHaveLength(1);
    await town.pass(30 * minuteMs);
    expect(looks).toHaveLength(3);
  });

  it("of two workers, a few seconds apart, do not make a vanished hold be believed to be deleted", async () => {
    const merge = { when: "when_approved", requireCI: false } as const;
    const town = await buildTown({ rules: { ...formal, merge } });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(5 * secondMs);
    await town.as(town.mia).review(pull, { event: "approve", body: "" });
    await town.pass(20 * secondMs);
    town.faults.always(({ endpoint }) => endpoint === "list_comments", { kind: "stale", ms: minuteMs });
    await town.tick(pull);
    town.machine.moveHands(-3 * secondMs);
    await town.tick(pull);
    expect(town.look(pull).merged).toBeNull();
    town.faults.clear();
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });
});

describe("a database that does not answer for a moment", () => {
  it("while a long look is being made ends neither the look nor the process", async () => {
    let isLooking = false;
    let blips = 0;
    let looks = 0;
    const review = async (): Promise<ReviewOutcome> => {
      looks++;
      isLooking = true;
      await town.clock.sleep(100 * secondMs);
      isLooking = false;
      return clean;
    };
    const town: Town = await buildTown({
      rules: formal,
      fate: { ...watchedFate(), isAway: () => isLooking },
      parts: ({ reviewers, queue }) => ({
        reviewers: { ...reviewers, rules: { review } },
        queue: {
          ...queue,
          extend: async (claimed, leaseMs) => {
            if (blips++ === 0) throw new Error("connection reset");
            return await queue.extend(claimed, leaseMs);
          },
        },
      }),
    });
    const pull = await town.open();
    await passSlowly(town, 5 * minuteMs);
    expect(blips).toBeGreaterThan(1);
    expect(looks).toBe(1);
    expect(town.look(pull).reviews.map(({ state }) => state)).toEqual(["approved"]);
  });
});
