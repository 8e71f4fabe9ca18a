// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Crossing } from "#harness/border.ts";
import { sleepsAt } from "#harness/fate.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import {
  blankedComments,
  botComments,
  botReviews,
  botWords,
  gateOf,
  managedComments,
  reactionsOn,
} from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  return pull;
}

/** The only worker falls asleep there; another one comes after it. */
function sendToSleep(harness: Harness, place: Crossing, ms: number): void {
  harness.dismissAll();
  harness.hire({}, sleepsAt(place, { clock: harness.clock, ms }));
}

describe("a worker that sleeps while it edits a review", () => {
  it("and whose older text arrives after the newer one does not have the last word", async () => {
    const harness = await buildHarness({ manner: "github" });
    const pull = await harness.open({ files: { "src/lexer.ts": "debugger;\n" } });
    await harness.settle();
    sendToSleep(harness, { call: "forge.editReview", side: "before" }, 5 * minuteMs);
    await harness.push(pull, { "src/lexer.ts": "debugger;\ndebugger;\n" });
    await harness.pass(5 * secondMs);
    harness.hire();
    const last = await harness.push(pull, { "src/lexer.ts": "debugger;\ndebugger;\ndebugger;\n" });
    await harness.pass(20 * minuteMs);
    expect(
      botReviews(harness, pull).filter(({ body }) => body.includes(`review of \`${last.slice(0, 10)}`)),
    ).toHaveLength(1);
  });
});

describe.each(manners)("a worker on a %s that sleeps through its lease", (manner) => {
  it.each<Crossing>([
    { call: "store.ensureObligation", side: "after" },
    { call: "store.leaseObligation", side: "after" },
    { call: "store.changeObligation", side: "before" },
    { call: "store.changeObligation", side: "after" },
    { call: "forge.addReaction", side: "after" },
    { call: "store.savePull", side: "before" },
  ])("wakes up $side $call and says nothing that was said meanwhile", async (place) => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    sendToSleep(harness, place, 5 * minuteMs);
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(secondMs);
    harness.hire();
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(0);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it("and whose comment arrives all the same does no lasting harm: the oldest stays, the other is blanked", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    // It slept on the wire: nothing can call the packet back.
    sendToSleep(harness, { call: "forge.createComment", side: "before" }, 5 * minuteMs);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(secondMs);
    harness.hire();
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(1);
    const [first, ...others] = botComments(harness, pull).filter(
      ({ id }) => id !== managedComments(harness, pull)[0]?.id,
    );
    expect(first?.body).toContain("it is the turn of");
    expect(others).toEqual(blankedComments(harness, pull));
    expect(harness.sandbox.history.some(({ what }) => what.kind === "comment_deleted")).toBe(false);
  });

  it("and whose review arrives all the same leaves one that says it, and no second thread that does", async () => {
    const harness = await buildHarness({ manner });
    sendToSleep(harness, { call: "forge.submitReview", side: "before" }, 5 * minuteMs);
    const pull = await harness.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await harness.pass(5 * secondMs);
    harness.hire();
    await harness.pass(12 * minuteMs);
    const speaking = botReviews(harness, pull).filter(({ body }) => !body.startsWith("<!-- drover:blanked"));
    expect(speaking.map(({ state }) => state)).toEqual(["changes_requested"]);
    const remarks = harness.look(pull).threads.map(({ comments }) => comments[0]?.body ?? "");
    expect(remarks.filter((body) => !body.startsWith("<!-- drover:blanked"))).toHaveLength(1);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("merges nothing that was held meanwhile", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await opened(harness);
    sendToSleep(harness, { call: "store.ensureObligation", side: "before" }, 5 * minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(minuteMs);
    await harness.as(harness.mia).comment(pull, "@drover hold");
    harness.hire();
    await harness.pass(10 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(managedComments(harness, pull)[0]?.body).toContain("held by `mia`");
  });
});

describe.each(manners)("a machine beside a %s whose clock jumps", (manner) => {
  it.each([-3 * hourMs, -2 * minuteMs, 2 * minuteMs, 3 * hourMs])("by %s ms answers once all the same", async (ms) => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    harness.machine.moveHands(ms);
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it.each([-hourMs, hourMs])("by %s ms while an answer is on its way sends no second one", async (ms) => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    harness.faults.next("create_comment", { kind: "lost_response" });
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(2 * secondMs);
    harness.machine.moveHands(ms);
    await harness.pass(5 * minuteMs);
    await harness.settle();
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(0);
  });

  it("ahead of the one that wrote the managed comment, and is shown a list without it, leaves one of them", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await harness.open({ body: "@drover disable-reviews" });
    await harness.pass(30 * secondMs);
    await harness.tick(pull);
    harness.machine.moveHands(3 * minuteMs);
    harness.faults.always(({ endpoint }) => endpoint === "list_comments", { kind: "stale", ms: 10 * secondMs });
    await harness.tick(pull);
    expect(managedComments(harness, pull)).toHaveLength(2);
    harness.faults.clear();
    await harness.pass(5 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(1);
  });

  it("and that is an hour behind does not take an approval for another head's", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    harness.machine.moveHands(-hourMs);
    const pull = await opened(harness);
    await harness.pass(minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.clock.advance(5 * secondMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 6;\n" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("set back, still ends a suppression when the forge's time has come", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover disable-reviews for 30m");
    await harness.pass(10 * secondMs);
    harness.machine.moveHands(-20 * minuteMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 7;\n" });
    await harness.pass(35 * minuteMs);
    expect(gateOf(harness, pull)).toBe("success");
  });
});
