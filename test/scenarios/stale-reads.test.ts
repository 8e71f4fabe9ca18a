import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { blankedComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

/** All reads, or those of some endpoints, show the forge as it was that long ago. */
function lag(town: Town, ms: number, endpoints?: readonly string[]): void {
  town.faults.always(({ endpoint, isWrite }) => !isWrite && (endpoints === undefined || endpoints.includes(endpoint)), {
    kind: "stale",
    ms,
  });
}

describe.each(manners)("a %s that shows its past", (manner) => {
  it("does not get a merge past a hold that vanishes from a stale list", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await town.open();
    await town.settle();
    await town.pass(minuteMs);
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(5 * secondMs);
    await town.as(town.mia).react(pull, "+1");
    // The pull itself and the thumb are of now; the comments are of before the hold.
    lag(town, minuteMs, ["list_comments"]);
    await town.pass(50 * secondMs);
    expect(town.look(pull).merged).toBeNull();
    town.faults.clear();
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("does not get an answer twice that it does not show yet", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * minuteMs);
    lag(town, minuteMs);
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(0);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it("gets one of everything when it lags by a minute from the very first", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    lag(town, minuteMs);
    const pull = await town.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await town.pass(minuteMs);
    for (let rounds = 0; rounds < 10; rounds++) await town.settle();
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(town.look(pull).threads).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(0);
  });

  it("does not get an answer twice whose own answer was lost", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * minuteMs);
    town.faults.next("create_comment", { kind: "lost_response" });
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(secondMs);
    lag(town, minuteMs);
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(0);
  });

  it("does not get a merge of a head that was approved before a push it does not show", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * minuteMs);
    const approved = town.headOf(pull);
    await town.as(town.rita).react(pull, "+1");
    await town.push(pull, { "src/lexer.ts": "export const words = 5;\n" });
    lag(town, 50 * secondMs);
    await town.pass(10 * minuteMs);
    const { merged } = town.look(pull);
    expect(merged === null || merged.head === approved).toBe(true);
    expect(merged).toBeNull();
  });

  it("merges once when it does not show the merge", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * minuteMs);
    await town.as(town.rita).react(pull, "+1");
    lag(town, minuteMs);
    await town.pass(10 * minuteMs);
    expect(town.look(pull).merged).not.toBeNull();
    expect(town.faults.callsOf("merge_pull")).toBe(1);
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
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * minuteMs);
    lag(town, minuteMs, [endpoint]);
    await town.push(pull, { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" });
    await town.pass(3 * minuteMs);
    town.faults.clear();
    await town.pass(2 * minuteMs);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["dismissed", "changes_requested"]);
    const dismissals = town.sandbox.history.filter(({ what }) => what.kind === "review_dismissed");
    expect(dismissals).toHaveLength(1);
    expect(town.look(pull).threads).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("gets few edits of the managed comment, not one for each look", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * minuteMs);
    lag(town, minuteMs, [endpoint]);
    const before = town.faults.callsOf("edit_comment");
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(3 * minuteMs);
    expect(managedComments(town, pull)[0]?.body).toContain("held by `rita`");
    expect(town.faults.callsOf("edit_comment") - before).toBeLessThanOrEqual(6);
  });
});
