import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import { buildHarness, manners } from "#harness/harness.ts";
import { botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;
const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

/** Ways in which a write ends without anybody knowing whether it was done. */
const silences: readonly (readonly [string, SandboxFault])[] = [
  ["whose answer was lost", { kind: "lost_response" }],
  ["that a broken server did all the same", { kind: "server_error", isApplied: true }],
  ["that a broken server did not do", { kind: "server_error", isApplied: false }],
  ["that timed out and was done", { kind: "timeout", isApplied: true }],
  ["that timed out and was not done", { kind: "timeout", isApplied: false }],
];

describe.each(manners)("on a %s, a write", (manner) => {
  describe.each(silences)("%s", (_, fault) => {
    it("of an answer to a command is there once", async () => {
      const harness = await buildHarness({ manner });
      const pull = await harness.open();
      await harness.settle();
      harness.faults.next("create_comment", fault);
      await harness.as(harness.rita).comment(pull, "@drover status");
      await harness.pass(5 * minuteMs);
      expect(botWords(harness, pull)).toHaveLength(1);
    });

    it("of the managed comment is there once", async () => {
      const harness = await buildHarness({ manner });
      harness.faults.next("create_comment", fault);
      const pull = await harness.open();
      await harness.pass(5 * minuteMs);
      expect(managedComments(harness, pull)).toHaveLength(1);
      expect(managedComments(harness, pull)[0]?.body).toContain("it is the turn of");
    });

    it("of a reaction is there once", async () => {
      const harness = await buildHarness({ manner });
      const pull = await harness.open();
      await harness.settle();
      harness.faults.next("react_to_comment", fault);
      const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
      await harness.pass(5 * minuteMs);
      expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
    });

    it("of a review with remarks is there once, with each remark once", async () => {
      const harness = await buildHarness({ manner });
      harness.faults.next("create_review", fault);
      const pull = await harness.open({ files: blocked });
      await harness.pass(5 * minuteMs);
      expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
      expect(harness.look(pull).threads).toHaveLength(1);
    });

    it("of a gate leaves the right one behind", async () => {
      const harness = await buildHarness({ manner });
      harness.faults.next(manner === "github" ? "create_check_run" : "create_status", fault, fault);
      const pull = await harness.open({ files: blocked });
      await harness.pass(5 * minuteMs);
      expect(gateOf(harness, pull)).toBe("failure");
    });

    it("of a merge is asked for once, unless it was not done", async () => {
      const harness = await buildHarness({ manner, rules: merging });
      const pull = await harness.open();
      await harness.settle();
      await harness.as(harness.rita).react(pull, "+1");
      harness.faults.next("merge_pull", fault);
      await harness.pass(10 * minuteMs);
      expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
      const wasDone = fault.kind === "lost_response" || !("isApplied" in fault) || fault.isApplied;
      expect(harness.faults.callsOf("merge_pull")).toBe(wasDone ? 1 : 2);
      expect(harness.notices.filter(({ what }) => what.kind === "merged").map(({ key }) => key)).toHaveLength(1);
    });
  });

  it("waits longer than the forge's memory before it is looked for", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    harness.faults.next("create_comment", { kind: "timeout", isApplied: false });
    await harness.as(harness.rita).comment(pull, "@drover status");
    const before = harness.clock.now();
    await harness.pass(minuteMs);
    expect(botWords(harness, pull)).toHaveLength(0);
    await harness.pass(minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    const said = harness.look(pull).comments.at(-1)?.createdAt ?? before;
    expect(said - before).toBeGreaterThanOrEqual(60 * secondMs);
  });
});

describe.each(manners)("with an expired token on a %s", (manner) => {
  it("nothing is lost and nothing is done twice when a good one comes", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    harness.faults.always(() => true, { kind: "expired_token" });
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(30 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(0);
    harness.faults.clear();
    await harness.pass(60 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
  });

  it("in the middle of a plan the rest is done with the next one, in order", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    harness.faults.next("create_comment", { kind: "expired_token" });
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
  });
});
