// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Crossing } from "#town/border.ts";
import { sleepsAt } from "#town/fate.ts";
import {
  blankedComments,
  botComments,
  botReviews,
  botWords,
  gateOf,
  managedComments,
  reactionsOn,
} from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  return pull;
}

/** The only worker falls asleep there; another one comes after it. */
function sendToSleep(town: Town, place: Crossing, ms: number): void {
  town.dismissAll();
  town.hire({}, sleepsAt(place, { clock: town.clock, ms }));
}

describe("a worker that sleeps while it edits a review", () => {
  it("and whose older text arrives after the newer one does not have the last word", async () => {
    const town = await buildTown({ manner: "github" });
    const pull = await town.open({ files: { "src/lexer.ts": "debugger;\n" } });
    await town.settle();
    sendToSleep(town, { call: "forge.editReview", side: "before" }, 5 * minuteMs);
    await town.push(pull, { "src/lexer.ts": "debugger;\ndebugger;\n" });
    await town.pass(5 * secondMs);
    town.hire();
    const last = await town.push(pull, { "src/lexer.ts": "debugger;\ndebugger;\ndebugger;\n" });
    await town.pass(20 * minuteMs);
    expect(botReviews(town, pull).filter(({ body }) => body.includes(`review of \`${last.slice(0, 10)}`))).toHaveLength(
      1,
    );
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
    const town = await buildTown({ manner });
    const pull = await opened(town);
    sendToSleep(town, place, 5 * minuteMs);
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(secondMs);
    town.hire();
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(0);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it("and whose comment arrives all the same does no lasting harm: the oldest stays, the other is blanked", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    // It slept on the wire: nothing can call the packet back.
    sendToSleep(town, { call: "forge.createComment", side: "before" }, 5 * minuteMs);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(secondMs);
    town.hire();
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(1);
    const [first, ...others] = botComments(town, pull).filter(({ id }) => id !== managedComments(town, pull)[0]?.id);
    expect(first?.body).toContain("it is the turn of");
    expect(others).toEqual(blankedComments(town, pull));
    expect(town.sandbox.history.some(({ what }) => what.kind === "comment_deleted")).toBe(false);
  });

  it("and whose review arrives all the same leaves one that says it, and no second thread that does", async () => {
    const town = await buildTown({ manner });
    sendToSleep(town, { call: "forge.submitReview", side: "before" }, 5 * minuteMs);
    const pull = await town.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await town.pass(5 * secondMs);
    town.hire();
    await town.pass(12 * minuteMs);
    const speaking = botReviews(town, pull).filter(({ body }) => !body.startsWith("<!-- drover:blanked"));
    expect(speaking.map(({ state }) => state)).toEqual(["changes_requested"]);
    const remarks = town.look(pull).threads.map(({ comments }) => comments[0]?.body ?? "");
    expect(remarks.filter((body) => !body.startsWith("<!-- drover:blanked"))).toHaveLength(1);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("merges nothing that was held meanwhile", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await opened(town);
    sendToSleep(town, { call: "store.ensureObligation", side: "before" }, 5 * minuteMs);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(minuteMs);
    await town.as(town.mia).comment(pull, "@drover hold");
    town.hire();
    await town.pass(10 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(managedComments(town, pull)[0]?.body).toContain("held by `mia`");
  });
});

describe.each(manners)("a machine beside a %s whose clock jumps", (manner) => {
  it.each([-3 * hourMs, -2 * minuteMs, 2 * minuteMs, 3 * hourMs])("by %s ms answers once all the same", async (ms) => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    town.machine.moveHands(ms);
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
    expect(gateOf(town, pull)).toBe("success");
  });

  it.each([-hourMs, hourMs])("by %s ms while an answer is on its way sends no second one", async (ms) => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    town.faults.next("create_comment", { kind: "lost_response" });
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(2 * secondMs);
    town.machine.moveHands(ms);
    await town.pass(5 * minuteMs);
    await town.settle();
    expect(botWords(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(0);
  });

  it("ahead of the one that wrote the managed comment, and is shown a list without it, leaves one of them", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await town.open({ body: "@drover disable-reviews" });
    await town.pass(30 * secondMs);
    await town.tick(pull);
    town.machine.moveHands(3 * minuteMs);
    town.faults.always(({ endpoint }) => endpoint === "list_comments", { kind: "stale", ms: 10 * secondMs });
    await town.tick(pull);
    expect(managedComments(town, pull)).toHaveLength(2);
    town.faults.clear();
    await town.pass(5 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(1);
  });

  it("and that is an hour behind does not take an approval for another head's", async () => {
    const town = await buildTown({ manner, rules: merging });
    town.machine.moveHands(-hourMs);
    const pull = await opened(town);
    await town.pass(minuteMs);
    await town.as(town.rita).react(pull, "+1");
    await town.clock.advance(5 * secondMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 6;\n" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("set back, still ends a suppression when the forge's time has come", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover disable-reviews for 30m");
    await town.pass(10 * secondMs);
    town.machine.moveHands(-20 * minuteMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 7;\n" });
    await town.pass(35 * minuteMs);
    expect(gateOf(town, pull)).toBe("success");
  });
});
