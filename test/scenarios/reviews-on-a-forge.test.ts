// @module-tag crash

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { busyWhile, diesWhen } from "#harness/fate.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botReviews, botWords, gateOf, managedComments } from "#harness/sights.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import { reviewJobKey } from "#ports/job-entries.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { aCompletedReview, aRawFinding, aReviewer, unsafeFinder } from "#testing/review-makers.ts";

const blocker = "export function words() {\n  debugger;\n}\n";
const clean = "export const words = 1;\n";
const twoRoles: HarnessOptions["rules"] = {
  reviews: {
    roles: [
      { name: "general", reviewer: "rules" },
      { name: "security", reviewer: "model" },
    ],
  },
};

/** Finds a line and a range of lines in each file that has them. */
const spanReviewer = aReviewer(({ diff, role }) => {
  const text = new TextDecoder().decode(diff);
  const paths = ["src/lexer.ts", "src/new.ts"].filter((path) => text.includes(`+++ b/${path}`));
  const line = { rule: "line", lines: { first: 2, last: 2 }, snippet: "  debugger;" };
  const range = { rule: "range", lines: { first: 4, last: 5 }, snippet: "export function more() {\n  return 2;" };
  const findings = paths.flatMap((path) => [line, range].map((over) => aRawFinding({ role, path, ...over })));
  return aCompletedReview({ findings, summary: "Looked." });
});

function withSecurity({ reviewers }: Dependencies): Partial<Dependencies> {
  return { reviewers: { ...reviewers, model: unsafeFinder(1_000) } };
}

async function openWith(harness: Harness, text: string): Promise<PullRef> {
  const pull = await harness.open({ files: { "src/lexer.ts": text } });
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

/** Every state in which each review of the bot's own has ever been, in the order in which they came. */
function verdictsEver(harness: Harness): readonly string[] {
  return harness.sandbox.history.flatMap(({ by, what }) =>
    by.id === harness.bot.id && what.kind === "reviewed" ? [what.event] : [],
  );
}

describe.each(manners)("a verdict on a %s", (manner) => {
  it("that turns from approval to blockers takes the approval out of force, and deletes nothing", async () => {
    const harness = await buildHarness({ manner });
    const pull = await openWith(harness, clean);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["approved"]);
    await harness.push(pull, { "src/lexer.ts": blocker });
    await harness.settle();
    await harness.pass(2 * minuteMs);
    const [old, now, ...others] = botReviews(harness, pull);
    expect(others).toHaveLength(0);
    expect(now?.state).toBe("changes_requested");
    expect(old?.body).toMatch(/superseded/i);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("that turns from blockers to approval leaves the old review as it was", async () => {
    const harness = await buildHarness({ manner });
    const pull = await openWith(harness, blocker);
    const [old] = botReviews(harness, pull);
    await harness.push(pull, { "src/lexer.ts": clean });
    await harness.settle();
    await harness.pass(2 * minuteMs);
    const [still, now, ...others] = botReviews(harness, pull);
    expect(others).toHaveLength(0);
    expect(still).toEqual(old);
    expect(now?.state).toBe("approved");
    expect(gateOf(harness, pull)).toBe("success");
    const [thread] = harness.look(pull).threads;
    expect(thread?.comments).toHaveLength(2);
    expect(thread?.isResolved).toBe(manner === "github");
  });

  it("that stays is edited in place when its words change", async () => {
    const harness = await buildHarness({ manner });
    const pull = await openWith(harness, blocker);
    await harness.push(pull, { "src/other.ts": "export function other() {\n  debugger;\n}\n" });
    await harness.settle();
    await harness.pass(2 * minuteMs);
    const judging = botReviews(harness, pull).filter(({ state }) => state !== "commented");
    expect(judging.map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(judging[0]?.body).toContain("src/other.ts");
    expect(harness.look(pull).threads).toHaveLength(2);
  });

  it("of a role whose sibling requests changes is never an approval, not even for a second", async () => {
    const harness = await buildHarness({ manner, rules: twoRoles, parts: withSecurity });
    const pull = await openWith(harness, "export const unsafe = 1;\n");
    expect(verdictsEver(harness)).not.toContain("approve");
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested", "changes_requested"]);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("of two roles becomes an approval when both have nothing left to say", async () => {
    const harness = await buildHarness({ manner, rules: twoRoles, parts: withSecurity });
    const pull = await openWith(harness, "export const unsafe = 1;\n");
    await harness.push(pull, { "src/lexer.ts": clean });
    await harness.settle();
    await harness.pass(3 * minuteMs);
    expect(
      botReviews(harness, pull)
        .slice(-2)
        .map(({ state }) => state),
    ).toEqual(["approved", "approved"]);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("on Drover's own pull goes into a comment and the gate", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open({ by: harness.bot, files: { "src/lexer.ts": blocker } });
    await harness.settle();
    await harness.pass(2 * minuteMs);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["commented"]);
    expect(gateOf(harness, pull)).toBe("failure");
  });
});

describe.each(manners)("a review on a %s", (manner) => {
  it("with one anchor that the forge does not take still says everything", async () => {
    const harness = await buildHarness({
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
    const pull = await openWith(harness, `${blocker}export function more() {\n  debugger;\n}\n`);
    await harness.pass(2 * minuteMs);
    const judging = botReviews(harness, pull).filter(({ state }) => state === "changes_requested");
    expect(judging).toHaveLength(1);
    expect(judging[0]?.body).toContain("`src/lexer.ts:2`");
    expect(judging[0]?.body).toContain("`src/lexer.ts:5`");
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("with one anchor that the forge is likely not to take keeps the others in the diff, and says each once", async () => {
    const harness = await buildHarness({
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
    const pull = await openWith(harness, `${blocker}export function more() {\n  return 2;\n}\n`);
    await harness.pass(2 * minuteMs);
    const judging = botReviews(harness, pull).filter(({ state }) => state === "changes_requested");
    expect(judging).toHaveLength(1);
    expect(judging[0]?.body).toContain("`src/lexer.ts:4-5`");
    expect(harness.look(pull).threads.map(({ line }) => line)).toEqual([2]);
    // In other words for another head, which is said by an edit and new remarks: the same holds for those.
    await harness.push(pull, { "src/new.ts": `${blocker}export function more() {\n  return 2;\n}\n` });
    await harness.settle();
    await harness.pass(3 * minuteMs);
    expect(harness.look(pull).threads.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "src/lexer.ts:2",
      "src/new.ts:2",
    ]);
  });

  it("that failed half-way leaks nothing into the next one", async () => {
    const harness = await buildHarness({ manner });
    harness.faults.next("create_review", { kind: "server_error", isApplied: true });
    const pull = await openWith(harness, blocker);
    await harness.pass(5 * minuteMs);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(harness.look(pull).threads).toHaveLength(1);
    const hasLeft = harness.sandbox.history.some(({ what }) => what.kind === "pending_review_left");
    expect(hasLeft).toBe(manner === "gitea");
  });

  it("whose pending leftover is older than Drover's memory of it leaks nothing either", async () => {
    const harness = await buildHarness({ manner });
    harness.faults.next("create_review", { kind: "server_error", isApplied: true });
    const pull = await harness.open({ files: { "src/lexer.ts": blocker } });
    await harness.pass(5 * secondMs);
    await harness.push(pull, { "src/lexer.ts": "export function words() {\n  // debugged\n}\n", "src/b.ts": blocker });
    await harness.pass(5 * minuteMs);
    const { threads } = harness.look(pull);
    expect(threads.map(({ path }) => path)).toEqual(manner === "github" ? ["src/lexer.ts", "src/b.ts"] : ["src/b.ts"]);
    expect(botReviews(harness, pull).every(({ state }) => state !== "pending")).toBe(true);
  });

  it("that was cancelled by a push, twice, is made for the last head, and its gate is kept", async () => {
    let looking = 0;
    let lookMs = 20 * secondMs;
    const fate = busyWhile(() => looking > 0);
    const harness = await buildHarness({
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
    for (let others = 0; others < 3; others++) harness.hire({}, fate);
    const pull = await harness.open({ files: { "src/lexer.ts": blocker } });
    await harness.pass(5 * secondMs);
    for (const text of ["export const words = 2;\n", "export const words = 3;\n"]) {
      await harness.push(pull, { "src/lexer.ts": text });
      await harness.pass(5 * secondMs);
      expect(gateOf(harness, pull)).toBe("pending");
    }
    lookMs = 0;
    await harness.pass(3 * minuteMs);
    expect(gateOf(harness, pull)).toBe("success");
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["approved"]);
  });

  it.each(["its queue", "nothing"] as const)(
    "whose worker died twice, and %s with it, is begun anew each time",
    async (lost) => {
      const harness = await buildHarness({ manner, rules: { approval: { pollMs: 10 * minuteMs } } });
      const pull = await harness.open({ files: { "src/lexer.ts": blocker }, isDraft: true });
      await harness.settle();
      for (let times = 0; times < 2; times++) {
        let isDead = false;
        harness.dismissAll();
        const fate = diesWhen(() => isDead);
        const forEver = async (): Promise<never> => {
          isDead = true;
          return await new Promise<never>(() => undefined);
        };
        harness.hire({ reviewers: slowRules(harness.dependencies.reviewers, forEver) }, fate);
        if (times === 0) await harness.as(harness.ada).editPull(pull, { isDraft: false });
        else await harness.as(harness.otto).comment(pull, "Any news?");
        // The last worker's lease may have to run out first.
        for (let waits = 0; waits < 20 && !fate.isDead(); waits++) await harness.pass(5 * secondMs);
        expect(fate.isDead()).toBe(true);
        expect(gateOf(harness, pull)).toBe("pending");
        if (lost === "its queue") await forgetJobs(harness, pull);
      }
      await harness.as(harness.otto).comment(pull, "And now?");
      await harness.pass(5 * minuteMs);
      expect(gateOf(harness, pull)).toBe("failure");
      expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    },
  );

  it("asked for by hand while an automatic one is due is dismissed with an explanation, once", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await harness.open({ files: { "src/lexer.ts": clean } });
    await harness.as(harness.rita).comment(pull, "@drover review");
    await harness.settle();
    await harness.pass(3 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(managedComments(harness, pull)[0]?.body).not.toContain("Under way");
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
    rules: aReviewer(async (job) => {
      await before(job);
      return await rules.review(job);
    }),
  };
}

/** As when a CI run is cancelled: what was said to run has no job any more. */
async function forgetJobs(harness: Harness, pull: PullRef): Promise<void> {
  const key = pullKeyOf(harness.dependencies.instance, pull);
  const stored = await harness.dependencies.store.findPull(key);
  for (const run of stored?.records.runs ?? []) {
    await harness.dependencies.queue.cancel({ queue: "review", key: reviewJobKey(key, run) });
  }
}
