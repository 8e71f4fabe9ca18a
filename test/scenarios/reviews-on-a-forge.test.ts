// @module-tag crash

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import { reviewJobKey } from "#ports/job-entries.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { busyWhile, diesWhen } from "#town/fate.ts";
import { botReviews, botWords, gateOf, managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town, type TownOptions } from "#town/town.ts";

const blocker = "export function words() {\n  debugger;\n}\n";
const clean = "export const words = 1;\n";
const twoRoles: TownOptions["rules"] = {
  reviews: {
    roles: [
      { name: "general", reviewer: "rules" },
      { name: "security", reviewer: "model" },
    ],
  },
};

/** The security role sees a problem wherever a line says `unsafe`. */
const securityReviewer: Reviewer = {
  review: async ({ diff, role }): Promise<ReviewOutcome> => {
    const isUnsafe = new TextDecoder().decode(diff).includes("unsafe");
    const finding = {
      role,
      rule: "unsafe",
      path: "src/lexer.ts",
      side: "new",
      lines: { first: 1, last: 1 },
      snippet: "unsafe",
      message: "This is unsafe.",
      assessment: "",
      score: 9,
      suggestion: null,
    } as const;
    return {
      kind: "completed",
      findings: isUnsafe ? [finding] : [],
      coverage: { filesRead: 1, unread: [] },
      summary: "Looked.",
      costMicroUsd: 1_000,
    };
  },
};

/** Finds a line and a range of lines in each file that has them. */
const spanReviewer: Reviewer = {
  review: async ({ diff, role }): Promise<ReviewOutcome> => {
    const text = new TextDecoder().decode(diff);
    const common = { role, side: "new", message: "Not so.", assessment: "", score: 9, suggestion: null } as const;
    const paths = ["src/lexer.ts", "src/new.ts"].filter((path) => text.includes(`+++ b/${path}`));
    const range = { rule: "range", lines: { first: 4, last: 5 }, snippet: "export function more() {\n  return 2;" };
    const findings = paths.flatMap((path) => [
      { ...common, path, rule: "line", lines: { first: 2, last: 2 }, snippet: "  debugger;" },
      { ...common, path, ...range },
    ]);
    return { kind: "completed", findings, coverage: { filesRead: 1, unread: [] }, summary: "Looked.", costMicroUsd: 0 };
  },
};

function withSecurity({ reviewers }: Dependencies): Partial<Dependencies> {
  return { reviewers: { ...reviewers, model: securityReviewer } };
}

async function openWith(town: Town, text: string): Promise<PullRef> {
  const pull = await town.open({ files: { "src/lexer.ts": text } });
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

/** Every state in which each review of the bot's own has ever been, in the order in which they came. */
function verdictsEver(town: Town): readonly string[] {
  return town.sandbox.history.flatMap(({ by, what }) =>
    by.id === town.bot.id && what.kind === "reviewed" ? [what.event] : [],
  );
}

describe.each(manners)("a verdict on a %s", (manner) => {
  it("that turns from approval to blockers takes the approval out of force, and deletes nothing", async () => {
    const town = await buildTown({ manner });
    const pull = await openWith(town, clean);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["approved"]);
    await town.push(pull, { "src/lexer.ts": blocker });
    await town.settle();
    await town.pass(2 * minuteMs);
    const [old, now, ...others] = botReviews(town, pull);
    expect(others).toHaveLength(0);
    expect(now?.state).toBe("changes_requested");
    expect(old?.body).toMatch(/superseded/i);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("that turns from blockers to approval leaves the old review as it was", async () => {
    const town = await buildTown({ manner });
    const pull = await openWith(town, blocker);
    const [old] = botReviews(town, pull);
    await town.push(pull, { "src/lexer.ts": clean });
    await town.settle();
    await town.pass(2 * minuteMs);
    const [still, now, ...others] = botReviews(town, pull);
    expect(others).toHaveLength(0);
    expect(still).toEqual(old);
    expect(now?.state).toBe("approved");
    expect(gateOf(town, pull)).toBe("success");
    const [thread] = town.look(pull).threads;
    expect(thread?.comments).toHaveLength(2);
    expect(thread?.isResolved).toBe(manner === "github");
  });

  it("that stays is edited in place when its words change", async () => {
    const town = await buildTown({ manner });
    const pull = await openWith(town, blocker);
    await town.push(pull, { "src/other.ts": "export function other() {\n  debugger;\n}\n" });
    await town.settle();
    await town.pass(2 * minuteMs);
    const judging = botReviews(town, pull).filter(({ state }) => state !== "commented");
    expect(judging.map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(judging[0]?.body).toContain("src/other.ts");
    expect(town.look(pull).threads).toHaveLength(2);
  });

  it("of a role whose sibling requests changes is never an approval, not even for a second", async () => {
    const town = await buildTown({ manner, rules: twoRoles, parts: withSecurity });
    const pull = await openWith(town, "export const unsafe = 1;\n");
    expect(verdictsEver(town)).not.toContain("approve");
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested", "changes_requested"]);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("of two roles becomes an approval when both have nothing left to say", async () => {
    const town = await buildTown({ manner, rules: twoRoles, parts: withSecurity });
    const pull = await openWith(town, "export const unsafe = 1;\n");
    await town.push(pull, { "src/lexer.ts": clean });
    await town.settle();
    await town.pass(3 * minuteMs);
    expect(
      botReviews(town, pull)
        .slice(-2)
        .map(({ state }) => state),
    ).toEqual(["approved", "approved"]);
    expect(gateOf(town, pull)).toBe("success");
  });

  it("on Drover's own pull goes into a comment and the gate", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({ by: town.bot, files: { "src/lexer.ts": blocker } });
    await town.settle();
    await town.pass(2 * minuteMs);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["commented"]);
    expect(gateOf(town, pull)).toBe("failure");
  });
});

describe.each(manners)("a review on a %s", (manner) => {
  it("with one anchor that the forge does not take still says everything", async () => {
    const town = await buildTown({
      manner,
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          // The first remark lands on a line that is not there.
          submitReview: (request) =>
            forge.submitReview({
              ...request,
              remarks: request.remarks.map((remark, index) =>
                index === 0 ? { ...remark, lines: { first: 9_000, last: 9_000 } } : remark,
              ),
            }),
        },
      }),
    });
    const pull = await openWith(town, `${blocker}export function more() {\n  debugger;\n}\n`);
    await town.pass(2 * minuteMs);
    const judging = botReviews(town, pull).filter(({ state }) => state === "changes_requested");
    expect(judging).toHaveLength(1);
    expect(judging[0]?.body).toContain("`src/lexer.ts:2`");
    expect(judging[0]?.body).toContain("`src/lexer.ts:5`");
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("with one anchor that the forge is likely not to take keeps the others in the diff, and says each once", async () => {
    const town = await buildTown({
      manner,
      parts: ({ forge, reviewers }) => ({
        reviewers: { ...reviewers, rules: spanReviewer },
        forge: {
          ...forge,
          submitReview: async (request) => {
            if (request.remarks.every(({ lines }) => lines.first === lines.last))
              return await forge.submitReview(request);
            throw new ForgeError("refused", "sandbox: start line must be part of the same hunk", { isApplied: "no" });
          },
        },
      }),
    });
    const pull = await openWith(town, `${blocker}export function more() {\n  return 2;\n}\n`);
    await town.pass(2 * minuteMs);
    const judging = botReviews(town, pull).filter(({ state }) => state === "changes_requested");
    expect(judging).toHaveLength(1);
    expect(judging[0]?.body).toContain("`src/lexer.ts:4-5`");
    expect(town.look(pull).threads.map(({ line }) => line)).toEqual([2]);
    // In other words for another head, which is said by an edit and new remarks: the same holds for those.
    await town.push(pull, { "src/new.ts": `${blocker}export function more() {\n  return 2;\n}\n` });
    await town.settle();
    await town.pass(3 * minuteMs);
    expect(town.look(pull).threads.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "src/lexer.ts:2",
      "src/new.ts:2",
    ]);
  });

  it("that failed half-way leaks nothing into the next one", async () => {
    const town = await buildTown({ manner });
    town.faults.next("create_review", { kind: "server_error", isApplied: true });
    const pull = await openWith(town, blocker);
    await town.pass(5 * minuteMs);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(town.look(pull).threads).toHaveLength(1);
    const hasLeft = town.sandbox.history.some(({ what }) => what.kind === "pending_review_left");
    expect(hasLeft).toBe(manner === "gitea");
  });

  it("whose pending leftover is older than Drover's memory of it leaks nothing either", async () => {
    const town = await buildTown({ manner });
    town.faults.next("create_review", { kind: "server_error", isApplied: true });
    const pull = await town.open({ files: { "src/lexer.ts": blocker } });
    await town.pass(5 * secondMs);
    await town.push(pull, { "src/lexer.ts": "export function words() {\n  // debugged\n}\n", "src/b.ts": blocker });
    await town.pass(5 * minuteMs);
    const { threads } = town.look(pull);
    expect(threads.map(({ path }) => path)).toEqual(manner === "github" ? ["src/lexer.ts", "src/b.ts"] : ["src/b.ts"]);
    expect(botReviews(town, pull).every(({ state }) => state !== "pending")).toBe(true);
  });

  it("that was cancelled by a push, twice, is made for the last head, and its gate is kept", async () => {
    let looking = 0;
    let lookMs = 20 * secondMs;
    const fate = busyWhile(() => looking > 0);
    const town = await buildTown({
      manner,
      fate,
      parts: ({ reviewers, clock }) => ({
        reviewers: slowRules(reviewers, async ({ signal }) => {
          looking++;
          await clock.sleep(lookMs, signal);
          looking--;
        }),
      }),
    });
    // Others, so that no tick is held up by the looks that are under way.
    for (let others = 0; others < 3; others++) town.hire({}, fate);
    const pull = await town.open({ files: { "src/lexer.ts": blocker } });
    await town.pass(5 * secondMs);
    for (const text of ["export const words = 2;\n", "export const words = 3;\n"]) {
      await town.push(pull, { "src/lexer.ts": text });
      await town.pass(5 * secondMs);
      expect(gateOf(town, pull)).toBe("pending");
    }
    lookMs = 0;
    await town.pass(3 * minuteMs);
    expect(gateOf(town, pull)).toBe("success");
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["approved"]);
  });

  it.each(["its queue", "nothing"] as const)(
    "whose worker died twice, and %s with it, is begun anew each time",
    async (lost) => {
      const town = await buildTown({ manner, rules: { approval: { pollMs: 10 * minuteMs } } });
      const pull = await town.open({ files: { "src/lexer.ts": blocker }, isDraft: true });
      await town.settle();
      for (let times = 0; times < 2; times++) {
        let isDead = false;
        town.dismissAll();
        const fate = diesWhen(() => isDead);
        const forEver = async (): Promise<never> => {
          isDead = true;
          return await new Promise<never>(() => undefined);
        };
        town.hire({ reviewers: slowRules(town.dependencies.reviewers, forEver) }, fate);
        if (times === 0) await town.as(town.ada).editPull(pull, { isDraft: false });
        else await town.as(town.otto).comment(pull, "Any news?");
        // The last worker's lease may have to run out first.
        for (let waits = 0; waits < 20 && !fate.isDead(); waits++) await town.pass(5 * secondMs);
        expect(fate.isDead()).toBe(true);
        expect(gateOf(town, pull)).toBe("pending");
        if (lost === "its queue") await forgetJobs(town, pull);
      }
      await town.as(town.otto).comment(pull, "And now?");
      await town.pass(5 * minuteMs);
      expect(gateOf(town, pull)).toBe("failure");
      expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    },
  );

  it("asked for by hand while an automatic one is due is dismissed with an explanation, once", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await town.open({ files: { "src/lexer.ts": clean } });
    await town.as(town.rita).comment(pull, "@drover review");
    await town.settle();
    await town.pass(3 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(managedComments(town, pull)[0]?.body).not.toContain("Under way");
  });
});

/** The rules, but something happens before each look. */
function slowRules(
  reviewers: Dependencies["reviewers"],
  before: (job: ReviewJob) => Promise<void>,
): Dependencies["reviewers"] {
  const { rules } = reviewers;
  if (rules === null) throw new Error("the rules are there");
  return {
    ...reviewers,
    rules: {
      review: async (job) => {
        await before(job);
        return await rules.review(job);
      },
    },
  };
}

/** As when a CI run is cancelled: what was said to run has no job any more. */
async function forgetJobs(town: Town, pull: PullRef): Promise<void> {
  const key = pullKeyOf(town.dependencies.instance, pull);
  const stored = await town.dependencies.store.findPull(key);
  for (const run of stored?.records.runs ?? []) {
    await town.dependencies.queue.cancel({ queue: "review", key: reviewJobKey(key, run) });
  }
}
