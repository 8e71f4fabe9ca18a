import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { blankedComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

/** All reads, or those of some endpoints, show the forge as it was that long ago. */
function lag(harness: Harness, ms: number, endpoints?: readonly string[]): void {
  harness.faults.always(
    ({ endpoint, isWrite }) => !isWrite && (endpoints === undefined || endpoints.includes(endpoint)),
    {
      kind: "stale",
      ms,
    },
  );
}

describe.each(manners)("a %s that shows its past", (manner) => {
  it("does not get a merge past a hold that vanishes from a stale list", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(minuteMs);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(5 * secondMs);
    await harness.as(harness.mia).react(pull, "+1");
    // The pull itself and the thumb are of now; the comments are of before the hold.
    lag(harness, minuteMs, ["list_comments"]);
    await harness.pass(50 * secondMs);
    expect(harness.look(pull).merged).toBeNull();
    harness.faults.clear();
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("does not get an answer twice that it does not show yet", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * minuteMs);
    lag(harness, minuteMs);
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(0);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it("gets one of everything when it lags by a minute from the very first", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    lag(harness, minuteMs);
    const pull = await harness.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await harness.pass(minuteMs);
    for (let rounds = 0; rounds < 10; rounds++) await harness.settle();
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(harness.look(pull).threads).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(0);
  });

  it("does not get an answer twice whose own answer was lost", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * minuteMs);
    harness.faults.next("create_comment", { kind: "lost_response" });
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(secondMs);
    lag(harness, minuteMs);
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(0);
  });

  it("does not get a merge of a head that was approved before a push it does not show", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * minuteMs);
    const approved = harness.headOf(pull);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.push(pull, { "src/lexer.ts": "export const words = 5;\n" });
    lag(harness, 50 * secondMs);
    await harness.pass(10 * minuteMs);
    const { merged } = harness.look(pull);
    expect(merged === null || merged.head === approved).toBe(true);
    expect(merged).toBeNull();
  });

  it("merges once when it does not show the merge", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    lag(harness, minuteMs);
    await harness.pass(10 * minuteMs);
    expect(harness.look(pull).merged).not.toBeNull();
    expect(harness.faults.callsOf("merge_pull")).toBe(1);
  });
});

/** Each of them may lag behind the others. */
const reads = {
  github: ["get_pull", "list_comments", "list_reviews", "list_review_threads", "list_reactions", "list_check_runs"],
  gitea: ["get_pull", "list_comments", "list_reviews", "list_timeline", "list_review_comments", "list_statuses"],
} as const;
const places = manners.flatMap((manner) => reads[manner].map((endpoint) => [manner, endpoint] as const));

describe.each(places)("a %s on which %s alone shows the past", (manner, endpoint) => {
  it("gets an approval withdrawn once, and changes requested once", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * minuteMs);
    lag(harness, minuteMs, [endpoint]);
    await harness.push(pull, { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" });
    await harness.pass(3 * minuteMs);
    harness.faults.clear();
    await harness.pass(2 * minuteMs);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["dismissed", "changes_requested"]);
    const dismissals = harness.sandbox.history.filter(({ what }) => what.kind === "review_dismissed");
    expect(dismissals).toHaveLength(1);
    expect(harness.look(pull).threads).toHaveLength(1);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("gets few edits of the managed comment, not one for each look", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * minuteMs);
    lag(harness, minuteMs, [endpoint]);
    const before = harness.faults.callsOf("edit_comment");
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(3 * minuteMs);
    expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
    expect(harness.faults.callsOf("edit_comment") - before).toBeLessThanOrEqual(6);
  });
});
