import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import { botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners } from "#town/town.ts";

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
      const town = await buildTown({ manner });
      const pull = await town.open();
      await town.settle();
      town.faults.next("create_comment", fault);
      await town.as(town.rita).comment(pull, "@drover status");
      await town.pass(5 * minuteMs);
      expect(botWords(town, pull)).toHaveLength(1);
    });

    it("of the managed comment is there once", async () => {
      const town = await buildTown({ manner });
      town.faults.next("create_comment", fault);
      const pull = await town.open();
      await town.pass(5 * minuteMs);
      expect(managedComments(town, pull)).toHaveLength(1);
      expect(managedComments(town, pull)[0]?.body).toContain("it is the turn of");
    });

    it("of a reaction is there once", async () => {
      const town = await buildTown({ manner });
      const pull = await town.open();
      await town.settle();
      town.faults.next("react_to_comment", fault);
      const hold = await town.as(town.rita).comment(pull, "@drover hold");
      await town.pass(5 * minuteMs);
      expect(reactionsOn(town, pull, hold)).toEqual(["+1"]);
    });

    it("of a review with remarks is there once, with each remark once", async () => {
      const town = await buildTown({ manner });
      town.faults.next("create_review", fault);
      const pull = await town.open({ files: blocked });
      await town.pass(5 * minuteMs);
      expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
      expect(town.look(pull).threads).toHaveLength(1);
    });

    it("of a gate leaves the right one behind", async () => {
      const town = await buildTown({ manner });
      town.faults.next(manner === "github" ? "create_check_run" : "create_status", fault, fault);
      const pull = await town.open({ files: blocked });
      await town.pass(5 * minuteMs);
      expect(gateOf(town, pull)).toBe("failure");
    });

    it("of a merge is asked for once, unless it was not done", async () => {
      const town = await buildTown({ manner, rules: merging });
      const pull = await town.open();
      await town.settle();
      await town.as(town.rita).react(pull, "+1");
      town.faults.next("merge_pull", fault);
      await town.pass(10 * minuteMs);
      expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
      const wasDone = fault.kind === "lost_response" || !("isApplied" in fault) || fault.isApplied;
      expect(town.faults.callsOf("merge_pull")).toBe(wasDone ? 1 : 2);
      expect(town.notices.filter(({ what }) => what.kind === "merged").map(({ key }) => key)).toHaveLength(1);
    });
  });

  it("waits longer than the forge's memory before it is looked for", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    town.faults.next("create_comment", { kind: "timeout", isApplied: false });
    await town.as(town.rita).comment(pull, "@drover status");
    const before = town.clock.now();
    await town.pass(minuteMs);
    expect(botWords(town, pull)).toHaveLength(0);
    await town.pass(minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    const said = town.look(pull).comments.at(-1)?.createdAt ?? before;
    expect(said - before).toBeGreaterThanOrEqual(60 * secondMs);
  });
});

describe.each(manners)("with an expired token on a %s", (manner) => {
  it("nothing is lost and nothing is done twice when a good one comes", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    town.faults.always(() => true, { kind: "expired_token" });
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(30 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(0);
    town.faults.clear();
    await town.pass(60 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
  });

  it("in the middle of a plan the rest is done with the next one, in order", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    town.faults.next("create_comment", { kind: "expired_token" });
    await town.as(town.rita).comment(pull, "@drover status");
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(managedComments(town, pull)[0]?.body).toContain("held by `rita`");
  });
});
