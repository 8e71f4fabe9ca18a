// @module-tag crash

import { describe, expect, it } from "vitest";
import { after, hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { watchedFate } from "#harness/fate.ts";
import { buildHarness, type Harness } from "#harness/harness.ts";
import { blankedComments, botComments, botReviews, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Answerer } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { aCompletedReview, aFailedReview, aReviewer } from "#testing/review-makers.ts";

/** Nobody watches for thumbs, so that nothing makes Drover look again but what it asks for itself. */
const formal = { approval: { protocols: "reviews" } } as const;
const clean = aCompletedReview({ summary: "Fine.", costMicroUsd: 5 });

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(5 * minuteMs);
  return pull;
}

async function ticksDuring(harness: Harness, ms: number): Promise<number> {
  const before = harness.reports.length;
  await harness.pass(ms);
  return harness.reports.length - before;
}

/** A pull that nobody but the story wakes Drover for. */
async function putTick(harness: Harness, pull: PullRef): Promise<void> {
  await harness.dependencies.queue.put(tickEntry(harness.dependencies.instance, pull));
}

/** Time in small steps, for workers that are busy with something long. */
async function passSlowly(harness: Harness, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * secondMs) await harness.pass(5 * secondMs);
}

describe("Drover keeps itself busy", () => {
  it("looking at a pull every two seconds for as long as a model is down", async () => {
    const model: Answerer = {
      ask: async () => ({ kind: "failed", why: "down", retryAt: after(harness.machine.now(), 30 * minuteMs) }),
    };
    const harness: Harness = await buildHarness({ rules: formal, parts: () => ({ model }) });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover what is this?");
    expect(await ticksDuring(harness, 10 * minuteMs)).toBeLessThan(10);
  });

  it("looking at every pull every ten seconds for as long as a chat does not listen", async () => {
    let isDeaf = true;
    let heard = 0;
    const notify = async (): Promise<void> => {
      if (isDeaf) throw new Error("connection refused");
      heard++;
    };
    const harness = await buildHarness({ rules: formal, parts: () => ({ notifier: { notify } }) });
    await opened(harness);
    expect(await ticksDuring(harness, hourMs)).toBeLessThan(15);
    isDeaf = false;
    await harness.pass(15 * minuteMs);
    expect(heard).toBe(1);
  });

  it("posting its review as fast as another bot dismisses it", async () => {
    const harness = await buildHarness({ rules: formal });
    const pull = await harness.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await harness.settle();
    harness.sandbox.subscribe(() => {
      const standing = botReviews(harness, pull).filter(({ state }) => state === "changes_requested");
      for (const { id } of standing)
        void harness
          .as(harness.mia)
          .dismissReview(pull, id)
          .catch(() => undefined);
    });
    await harness.as(harness.rita).comment(pull, "Off we go.");
    await harness.pass(3 * hourMs);
    expect(botReviews(harness, pull).length).toBeLessThan(20);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("taking a large pull from its other worker, whose look takes longer than a lease", async () => {
    const harness = await buildHarness({ rules: formal, network: () => undefined });
    harness.dismissAll();
    const pull = await harness.open();
    const { forge } = harness.dependencies;
    let looking = 0;
    const slow: typeof forge = {
      ...forge,
      fetchPull: async (ref) => {
        looking++;
        await harness.clock.sleep(65 * secondMs);
        looking--;
        return await forge.fetchPull(ref);
      },
    };
    for (let workers = 0; workers < 2; workers++) {
      harness.hire({ forge: slow }, { ...watchedFate(), isAway: () => looking > 0 });
    }
    await putTick(harness, pull);
    await passSlowly(harness, 15 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });
});

describe("a pull is never looked at again", () => {
  it("because two others waited for the same base branch", async () => {
    const merge = { when: "when_approved", how: "queue", requireCI: false } as const;
    const harness = await buildHarness({ rules: { ...formal, merge } });
    const pulls: PullRef[] = [];
    for (const branch of ["one", "two", "three"]) {
      pulls.push(await harness.open({ branch, files: { [`${branch}.md`]: `${branch}\n` } }));
    }
    await harness.settle();
    await harness.pass(minuteMs);
    for (const pull of pulls) await harness.as(harness.rita).review(pull, { event: "approve", body: "" });
    await harness.pass(5 * minuteMs);
    expect(pulls.map((pull) => harness.look(pull).merged?.head === harness.headOf(pull))).toEqual([true, true, true]);
  });

  it("because the forge did not show it yet when it was opened", async () => {
    const harness = await buildHarness();
    harness.faults.always(({ endpoint }) => endpoint === "get_pull", { kind: "stale", ms: 50 * secondMs });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(minuteMs);
    harness.faults.clear();
    // The poller has seen it, and nothing new happens.
    await harness.settle();
    await harness.pass(10 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it("because somebody who spoke on it has deleted their account", async () => {
    const harness: Harness = await buildHarness({
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          fetchPermission: async (request) => {
            if (request.account.id !== harness.otto.id) return await forge.fetchPermission(request);
            throw new ForgeError("not_found", "no such user", { isApplied: "no" });
          },
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.otto).comment(pull, "I like it.");
    await harness.pass(minuteMs);
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(10 * minuteMs);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
  });

  it("although something that it said twice could not be blanked", async () => {
    const harness = await buildHarness({ rules: formal });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.as(harness.rita).review(pull, { event: "approve", body: "" });
    await harness.pass(5 * minuteMs);
    const managed = new Set(managedComments(harness, pull).map(({ id }) => id));
    const answer = botComments(harness, pull).find(({ id }) => !managed.has(id));
    harness.faults.next("edit_comment", { kind: "server_error", isApplied: false });
    await harness.dependencies.forge.createComment({ pull, body: answer?.body ?? "" });
    await harness.pass(10 * minuteMs);
    expect(blankedComments(harness, pull)).toHaveLength(1);
  });
});

describe("two clocks", () => {
  it.each([-1, 5])("that are %i hours apart do not change when a failed look is tried again", async (hours) => {
    const looks: number[] = [];
    const review = async (): Promise<ReviewOutcome> => {
      looks.push(harness.clock.now());
      return aFailedReview();
    };
    const harness: Harness = await buildHarness({
      rules: formal,
      parts: ({ reviewers }) => ({ reviewers: { ...reviewers, rules: aReviewer(review) } }),
    });
    harness.machine.moveHands(hours * hourMs);
    await harness.open();
    await harness.pass(15 * secondMs);
    expect(looks).toHaveLength(1);
    await harness.pass(30 * minuteMs);
    expect(looks).toHaveLength(3);
  });

  it("of two workers, a few seconds apart, do not make a vanished hold be believed to be deleted", async () => {
    const merge = { when: "when_approved", requireCI: false } as const;
    const harness = await buildHarness({ rules: { ...formal, merge } });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(5 * secondMs);
    await harness.as(harness.mia).review(pull, { event: "approve", body: "" });
    await harness.pass(20 * secondMs);
    harness.faults.always(({ endpoint }) => endpoint === "list_comments", { kind: "stale", ms: minuteMs });
    await harness.tick(pull);
    harness.machine.moveHands(-3 * secondMs);
    await harness.tick(pull);
    expect(harness.look(pull).merged).toBeNull();
    harness.faults.clear();
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
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
      await harness.clock.sleep(100 * secondMs);
      isLooking = false;
      return clean;
    };
    const harness: Harness = await buildHarness({
      rules: formal,
      fate: { ...watchedFate(), isAway: () => isLooking },
      parts: ({ reviewers, queue }) => ({
        reviewers: { ...reviewers, rules: aReviewer(review) },
        queue: {
          ...queue,
          extend: async (claimed, leaseMs) => {
            if (blips++ === 0) throw new Error("connection reset");
            return await queue.extend(claimed, leaseMs);
          },
        },
      }),
    });
    const pull = await harness.open();
    await passSlowly(harness, 5 * minuteMs);
    expect(blips).toBeGreaterThan(1);
    expect(looks).toBe(1);
    expect(harness.look(pull).reviews.map(({ state }) => state)).toEqual(["approved"]);
  });
});
