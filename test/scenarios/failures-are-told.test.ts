import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { quiet } from "#town/every-boundary.ts";
import { botComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town, type TownOptions } from "#town/town.ts";

const twoRoles: NonNullable<TownOptions["rules"]> = {
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
  return ({ reviewers }) => ({ reviewers: { ...reviewers, model: { review: async () => answer() } } });
}

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  return pull;
}

describe.each(manners)("on a %s, a look that fails", (manner) => {
  it("for good leaves one comment that says what to do, and the other role's review is there", async () => {
    let looks = 0;
    const town = await buildTown({
      manner,
      rules: twoRoles,
      parts: security(() => {
        looks++;
        return { kind: "failed", why: "the provider is down", retryAt: null };
      }),
    });
    const pull = await town.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await town.pass(3 * hourMs);
    expect(looks).toBe(3);
    const told = botWords(town, pull).filter((body) => body.includes("the provider is down"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("@mia");
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(gateOf(town, pull)).toBe("failure");
    expect(town.notices.filter(({ what }) => what.kind === "escalated")).toHaveLength(1);
  });

  it("for good is named as in the log, and taken back once the review has been made", async () => {
    let isDown = true;
    const ids: unknown[] = [];
    const town = await buildTown({
      manner,
      rules: twoRoles,
      parts: (usual) => ({
        ...security(() =>
          isDown
            ? { kind: "failed", why: "the provider is down", retryAt: null }
            : { kind: "completed", findings: [], coverage: { filesRead: 1, unread: [] }, summary: "", costMicroUsd: 5 },
        )(usual),
        log: { ...usual.log, warn: (facts) => void ids.push(facts["id"]) },
      }),
    });
    const pull = await opened(town);
    await town.pass(hourMs);
    const id = /log is `([0-9a-f]{10})`/.exec(botWords(town, pull).join())?.[1];
    expect(ids).toContain(id);
    isDown = false;
    await town.as(town.rita).comment(pull, "@drover review");
    await town.pass(10 * minuteMs);
    const told = botWords(town, pull).filter((body) => body.includes("security review"));
    expect(told).toEqual([expect.stringContaining("**Solved:**")]);
  });

  it("for good keeps a role that found nothing from approving", async () => {
    const town = await buildTown({
      manner,
      rules: twoRoles,
      parts: security(() => ({ kind: "failed", why: "the provider is down", retryAt: null })),
    });
    const pull = await opened(town);
    await town.pass(3 * hourMs);
    expect(botReviews(town, pull).filter(({ state }) => state === "approved")).toHaveLength(0);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("once and then works is not told of at all", async () => {
    let looks = 0;
    const town = await buildTown({
      manner,
      rules: twoRoles,
      parts: security(() =>
        looks++ === 0
          ? { kind: "failed", why: "the provider is down", retryAt: null }
          : {
              kind: "completed",
              findings: [],
              coverage: { filesRead: 1, unread: [] },
              summary: "Fine.",
              costMicroUsd: 5,
            },
      ),
    });
    const pull = await opened(town);
    await town.pass(hourMs);
    expect(botWords(town, pull)).toHaveLength(0);
    expect(gateOf(town, pull)).toBe("success");
  });

  it("by a bug does not keep the others from their work", async () => {
    const town = await buildTown({
      manner,
      rules: twoRoles,
      expectsFailures: true,
      parts: security(() => {
        throw new TypeError("undefined is not a function");
      }),
    });
    const pull = await opened(town);
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(2 * minuteMs);
    expect(town.failures.length).toBeGreaterThan(0);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
    expect(gateOf(town, pull)).not.toBe("success");
    const other = await town.open({ branch: "other", files: { "a.md": "a\n" } });
    await town.pass(2 * minuteMs);
    expect(managedComments(town, other)).toHaveLength(1);
  });

  it("to read everything never approves", async () => {
    const town = await buildTown({
      manner,
      rules: twoRoles,
      parts: security(() => ({
        kind: "completed",
        findings: [],
        coverage: { filesRead: 0, unread: [{ path: "src/lexer.ts", why: "budget" }] },
        summary: "Too long.",
        costMicroUsd: 5,
      })),
    });
    const pull = await opened(town);
    await town.pass(10 * minuteMs);
    expect(botReviews(town, pull).some(({ state, body }) => state === "approved" && body.includes("security"))).toBe(
      false,
    );
    expect(gateOf(town, pull)).not.toBe("success");
  });
});

describe.each(manners)("on a %s, an effect that the forge refuses", (manner) => {
  it("does not keep the others from being done", async () => {
    const town = await buildTown({ manner });
    // Without write permission the forge takes no gate, and on one of them tells no permissions.
    town.sandbox.setPermission({ repository: town.repository, account: town.bot, permission: "read" });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(10 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(town.look(pull).gates).toHaveLength(0);
  });

  it("is tried ever more seldom", async () => {
    const town = await buildTown({ manner });
    const gate = manner === "github" ? "create_check_run" : "create_status";
    town.sandbox.setPermission({ repository: town.repository, account: town.bot, permission: "read" });
    const pull = await opened(town);
    // It looks for approvals every half minute, so that it could try hundreds of times.
    await town.pass(3 * hourMs);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(town.faults.callsOf(gate)).toBeLessThan(20);
  });

  it("and a notifier that nobody listens to hold up nothing, and are told of later", async () => {
    let isDeaf = true;
    const heard: string[] = [];
    const town = await buildTown({
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
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
    isDeaf = false;
    await town.pass(5 * minuteMs);
    expect(heard).toContain("merged");
  });
});

describe.each(manners)("the ledger beside a %s", (manner) => {
  it("has an entry for every effect: who asked, for which head, by which rule", async () => {
    const town = await buildTown({ manner, rules: { merge: { when: "on_command", requireCI: false } } });
    const pull = await town.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await town.settle();
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(minuteMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 15;\n" });
    await town.pass(2 * minuteMs);
    await town.as(town.rita).react(pull, "+1");
    await town.as(town.mia).comment(pull, "@drover merge");
    await town.pass(3 * minuteMs);
    const head = town.headOf(pull);
    expect(town.look(pull).merged?.head).toBe(head);
    const ledger = await town.ledger(pull);
    for (const { why, state } of ledger) {
      expect(why.askedBy).not.toBe("");
      expect(why.rule).not.toBe("");
      expect(state.kind).toBe("done");
    }
    const byKind = (kind: string) => ledger.filter((entry) => entry.kind === kind);
    expect(byKind("acknowledgement")[0]).toMatchObject({
      why: { askedBy: town.rita.id, rule: "command status: obeyed" },
    });
    expect(byKind("merge")).toMatchObject([{ head, why: { inputs: [head, "main"] } }]);
    expect(byKind("review").map((entry) => entry.why.askedBy)).toEqual(["the general role", "the general role"]);
    // Everything that the bot has written on the forge is accounted for.
    const comments = new Set(ledger.map(({ state }) => (state.kind === "done" ? state.result : null)));
    for (const { id } of [...botComments(town, pull), ...botReviews(town, pull)]) expect(comments).toContain(id);
  });
});
