import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { quiet } from "#harness/every-boundary.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { aCompletedReview, aFailedReview, aReviewer } from "#testing/review-makers.ts";

const twoRoles: NonNullable<HarnessOptions["rules"]> = {
  ...quiet,
  humans: ["mia"],
  reviews: {
    roles: [
      { name: "general", reviewer: "rules" },
      { name: "security", reviewer: "model" },
    ],
  },
};

/** A second reviewer that answers this. */
function security(answer: () => ReviewOutcome): (usual: Dependencies) => Partial<Dependencies> {
  return ({ reviewers }) => ({ reviewers: { ...reviewers, model: aReviewer(() => answer()) } });
}

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  return pull;
}

describe.each(manners)("on a %s, a look that fails", (manner) => {
  it("for good leaves one comment that says what to do, and the other role's review is there", async () => {
    let looks = 0;
    const harness = await buildHarness({
      manner,
      rules: twoRoles,
      parts: security(() => {
        looks++;
        return aFailedReview();
      }),
    });
    const pull = await harness.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await harness.pass(3 * hourMs);
    expect(looks).toBe(3);
    const told = botWords(harness, pull).filter((body) => body.includes("the provider is down"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("@mia");
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(gateOf(harness, pull)).toBe("failure");
    expect(harness.notices.filter(({ what }) => what.kind === "escalated")).toHaveLength(1);
  });

  it("for good is named as in the log, and taken back once the review has been made", async () => {
    let isDown = true;
    const ids: unknown[] = [];
    const harness = await buildHarness({
      manner,
      rules: twoRoles,
      parts: (usual) => ({
        ...security(() => (isDown ? aFailedReview() : aCompletedReview({ costMicroUsd: 5 })))(usual),
        log: { ...usual.log, warn: (facts) => void ids.push(facts["id"]) },
      }),
    });
    const pull = await opened(harness);
    await harness.pass(hourMs);
    const id = /log is `([0-9a-f]{10})`/.exec(botWords(harness, pull).join())?.[1];
    expect(ids).toContain(id);
    isDown = false;
    await harness.as(harness.rita).comment(pull, "@drover review");
    await harness.pass(10 * minuteMs);
    const told = botWords(harness, pull).filter((body) => body.includes("security review"));
    expect(told).toEqual([expect.stringContaining("**Solved:**")]);
  });

  it("for good keeps a role that found nothing from approving", async () => {
    const harness = await buildHarness({
      manner,
      rules: twoRoles,
      parts: security(aFailedReview),
    });
    const pull = await opened(harness);
    await harness.pass(3 * hourMs);
    expect(botReviews(harness, pull).filter(({ state }) => state === "approved")).toHaveLength(0);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("once and then works is not told of at all", async () => {
    let looks = 0;
    const harness = await buildHarness({
      manner,
      rules: twoRoles,
      parts: security(() =>
        looks++ === 0 ? aFailedReview() : aCompletedReview({ summary: "Fine.", costMicroUsd: 5 }),
      ),
    });
    const pull = await opened(harness);
    await harness.pass(hourMs);
    expect(botWords(harness, pull)).toHaveLength(0);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("by a bug does not keep the others from their work", async () => {
    const harness = await buildHarness({
      manner,
      rules: twoRoles,
      expectsFailures: true,
      parts: security(() => {
        throw new TypeError("undefined is not a function");
      }),
    });
    const pull = await opened(harness);
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(2 * minuteMs);
    expect(harness.failures.length).toBeGreaterThan(0);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
    expect(gateOf(harness, pull)).not.toBe("success");
    const other = await harness.open({ branch: "other", files: { "a.md": "a\n" } });
    await harness.pass(2 * minuteMs);
    expect(managedComments(harness, other)).toHaveLength(1);
  });

  it("to read everything never approves", async () => {
    const harness = await buildHarness({
      manner,
      rules: twoRoles,
      parts: security(() =>
        aCompletedReview({ coverage: { filesRead: 0, unread: [{ path: "src/lexer.ts", why: "budget" }] } }),
      ),
    });
    const pull = await opened(harness);
    await harness.pass(10 * minuteMs);
    expect(botReviews(harness, pull).some(({ state, body }) => state === "approved" && body.includes("security"))).toBe(
      false,
    );
    expect(gateOf(harness, pull)).not.toBe("success");
  });
});

describe.each(manners)("on a %s, an effect that the forge refuses", (manner) => {
  it("does not keep the others from being done", async () => {
    const harness = await buildHarness({ manner });
    // Without write permission the forge takes no gate, and on one of them tells no permissions.
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.bot, permission: "read" });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(10 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(harness.look(pull).gates).toHaveLength(0);
  });

  it("is tried ever more seldom", async () => {
    const harness = await buildHarness({ manner });
    const gate = manner === "github" ? "create_check_run" : "create_status";
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.bot, permission: "read" });
    const pull = await opened(harness);
    // It looks for approvals every half minute, so that it could try hundreds of times.
    await harness.pass(3 * hourMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(harness.faults.callsOf(gate)).toBeLessThan(20);
  });

  it("and a notifier that nobody listens to hold up nothing, and are told of later", async () => {
    let isDeaf = true;
    const heard: string[] = [];
    const harness = await buildHarness({
      manner,
      rules: { merge: { when: "when_approved", requireCI: false } },
      parts: () => ({
        notifier: {
          notify: async ({ what }) => {
            if (isDeaf) throw new Error("connection refused");
            heard.push(what.kind === "approval_changed" ? what.event.to : what.kind);
          },
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
    isDeaf = false;
    await harness.pass(5 * minuteMs);
    expect(heard).toContain("merged");
  });
});

describe.each(manners)("the ledger beside a %s", (manner) => {
  it("has an entry for every effect: who asked, for which head, by which rule", async () => {
    const harness = await buildHarness({ manner, rules: { merge: { when: "on_command", requireCI: false } } });
    const pull = await harness.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await harness.settle();
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(minuteMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 15;\n" });
    await harness.pass(2 * minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.as(harness.mia).comment(pull, "@drover merge");
    await harness.pass(3 * minuteMs);
    const head = harness.headOf(pull);
    expect(harness.look(pull).merged?.head).toBe(head);
    const ledger = await harness.ledger(pull);
    for (const { why, state } of ledger) {
      expect(why.askedBy).not.toBe("");
      expect(why.rule).not.toBe("");
      expect(state.kind).toBe("done");
    }
    const byKind = (kind: string) => ledger.filter((entry) => entry.kind === kind);
    expect(byKind("acknowledgement")[0]).toMatchObject({
      why: { askedBy: harness.rita.id, rule: "command status: obeyed" },
    });
    expect(byKind("merge")).toMatchObject([{ head, why: { inputs: [head, "main"] } }]);
    expect(byKind("review").map((entry) => entry.why.askedBy)).toEqual(["the general role", "the general role"]);
    // Everything that the bot has written on the forge is accounted for.
    const comments = new Set(ledger.map(({ state }) => (state.kind === "done" ? state.result : null)));
    for (const { id } of [...botComments(harness, pull), ...botReviews(harness, pull)]) expect(comments).toContain(id);
  });
});
