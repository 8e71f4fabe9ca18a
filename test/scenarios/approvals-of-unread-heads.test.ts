// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { blankedText } from "#core/effects/effect-mark.ts";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botReviews, botVerdict, gateOf, managedComments } from "#harness/sights.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { aFailedReview, aReviewer } from "#testing/review-makers.ts";

const clean = "export const words = 1;\n";
const bad = "export function words() {\n  debugger;\n}\n";

async function rest(harness: Harness): Promise<void> {
  await harness.settle();
  await harness.pass(3 * minuteMs);
}

async function openApproved(harness: Harness): Promise<PullRef> {
  const pull = await harness.open({ by: harness.otto, files: { "src/lexer.ts": clean } });
  await rest(harness);
  expect(botVerdict(harness, pull)).toBe("approve");
  return pull;
}

/** A reviewer that does as the head is told: most of its looks are by the rules. */
function whoever(over: (usual: Reviewer) => Reviewer): NonNullable<HarnessOptions["parts"]> {
  return ({ reviewers }) => ({ reviewers: { ...reviewers, rules: over(rulesReviewer()) } });
}

function isBad(diff: Uint8Array): boolean {
  return new TextDecoder().decode(diff).includes("debugger");
}

/** Why nobody reads the bad head whole. */
const reasons: Readonly<
  Record<
    string,
    { readonly before?: (harness: Harness, pull: PullRef) => Promise<void>; readonly options?: HarnessOptions }
  >
> = {
  "while reviews are switched off": {
    before: async (harness, pull) => void (await harness.as(harness.otto).comment(pull, "@drover disable-reviews")),
  },
  "to a draft": { before: async (harness, pull) => await harness.as(harness.otto).editPull(pull, { isDraft: true }) },
  "that its reviewer gives up": {
    options: {
      rules: { reviews: { attemptsMax: 1 } },
      parts: whoever((usual) =>
        aReviewer(async (job) => (isBad(job.diff) ? aFailedReview() : await usual.review(job))),
      ),
    },
  },
  "that is read in part": {
    options: {
      parts: whoever((usual) =>
        aReviewer(async (job) => {
          const outcome = await usual.review(job);
          if (!isBad(job.diff) || outcome.kind !== "completed") return outcome;
          const unread = [{ path: "src/lexer.ts", why: "size" as const }];
          return { ...outcome, findings: [], coverage: { filesRead: 1, unread } };
        }),
      ),
    },
  },
};

describe.each(manners)("on a %s, a stranger's clean pull is approved, and bad code is pushed", (manner) => {
  it.each(Object.entries(reasons))("%s: the approval does not stand for it", async (_, { before, options }) => {
    const harness = await buildHarness({ ...options, manner });
    const pull = await openApproved(harness);
    await before?.(harness, pull);
    await rest(harness);
    await harness.push(pull, { "src/lexer.ts": bad }, harness.otto);
    await rest(harness);
    expect(botVerdict(harness, pull)).toBeUndefined();
    expect(gateOf(harness, pull)).not.toBe("success");
    const [approval] = botReviews(harness, pull);
    expect(approval?.state).toBe("dismissed");
    expect(approval?.body).toContain("Superseded");
    // Nothing is said again, however long it stays like this.
    const said = botReviews(harness, pull);
    await harness.pass(30 * minuteMs);
    expect(botReviews(harness, pull)).toEqual(said);
  });

  it("and its review is cancelled at once: the approval does not stand for it", async () => {
    const harness = await buildHarness({ manner });
    const pull = await openApproved(harness);
    await harness.push(pull, { "src/lexer.ts": bad }, harness.otto);
    await harness.clock.advance(minuteMs);
    await harness.as(harness.otto).comment(pull, "@drover cancel");
    await rest(harness);
    // Where a forge does not tell when somebody pushed, nobody knows which head was meant, and it is read.
    expect(botVerdict(harness, pull)).toBe(manner === "github" ? undefined : "request_changes");
  });

  it("then clean code again, and reviews are on: it is approved anew", async () => {
    const harness = await buildHarness({ manner });
    const pull = await openApproved(harness);
    await harness.as(harness.rita).comment(pull, "@drover disable-reviews");
    await harness.push(pull, { "src/lexer.ts": bad }, harness.otto);
    await rest(harness);
    await harness.push(pull, { "src/lexer.ts": "export const words = 2;\n" }, harness.otto);
    await harness.as(harness.rita).comment(pull, "@drover enable-reviews");
    await rest(harness);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["dismissed", "approved"]);
    expect(botVerdict(harness, pull)).toBe("approve");
  });

  it("and the forge lets nobody dismiss it: a comment says that it no longer counts, once", async () => {
    const harness = await buildHarness({
      manner,
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          dismissReview: async () => {
            throw new ForgeError("forbidden", "sandbox: dismissing is restricted", { isApplied: "no" });
          },
        },
      }),
    });
    const pull = await openApproved(harness);
    await harness.as(harness.otto).comment(pull, "@drover disable-reviews");
    await harness.push(pull, { "src/lexer.ts": bad }, harness.otto);
    await rest(harness);
    await harness.pass(3 * 60 * minuteMs);
    const [approval, comment, ...others] = botReviews(harness, pull);
    expect(others).toEqual([]);
    expect(approval?.body).toContain("Superseded");
    expect(comment).toMatchObject({ state: "commented" });
    expect(comment?.body).toContain("This approval is withdrawn");
    expect(comment?.body).toContain("Reviews are switched off");
  });

  it("that is read in part, while the forge does not serve the dismissal: it is dismissed as soon as the forge does", async () => {
    let isDown = false;
    const readInPart = reasons["that is read in part"]?.options?.parts;
    const harness = await buildHarness({
      manner,
      parts: (dependencies) => ({
        ...readInPart?.(dependencies),
        forge: {
          ...dependencies.forge,
          dismissReview: async (request) => {
            if (isDown) throw new ForgeError("unavailable", "sandbox: no dismissals now", { isApplied: "no" });
            await dependencies.forge.dismissReview(request);
          },
        },
      }),
    });
    const pull = await openApproved(harness);
    isDown = true;
    await harness.push(pull, { "src/lexer.ts": bad }, harness.otto);
    await rest(harness);
    isDown = false;
    await harness.pass(30 * minuteMs);
    expect(botVerdict(harness, pull)).toBeUndefined();
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["dismissed", "commented"]);
  });

  it("after the approval was sent twice: the one that was blanked does not stand either", async () => {
    const harness = await buildHarness({ manner });
    const pull = await openApproved(harness);
    await harness.as(harness.bot).review(pull, { event: "approve", body: blankedText });
    await harness.as(harness.rita).comment(pull, "@drover disable-reviews");
    await harness.push(pull, { "src/lexer.ts": bad }, harness.otto);
    await rest(harness);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["dismissed", "dismissed"]);
    expect(botVerdict(harness, pull)).toBeUndefined();
  });

  it("by somebody whose approval with the bot's own account carries no mark: that is theirs", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open({ by: harness.otto, files: { "src/lexer.ts": clean }, isDraft: true });
    await harness.as(harness.bot).review(pull, { event: "approve", body: "Looks good to me." });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("approve");
  });
});

/** One role each, as two jobs of a CI would run them: the same account, and a secret of their own. */
function jobsOf(harness: Harness) {
  return (role: string, secret: number): void => {
    const { instance, store, queue } = harness.settleStranger(role);
    const roles = [{ name: role, reviewer: "rules" as const, paths: [`/${role}/`] }];
    const over: Partial<Dependencies> = {
      instance,
      store,
      queue,
      secret: makeBlockSecret(new Uint8Array(32).fill(secret)),
      rulesOf: async (pull) => ({
        ...(await harness.dependencies.rulesOf(pull)),
        reviews: { ...(await harness.dependencies.rulesOf(pull)).reviews, roles },
      }),
    };
    harness.dismissAll();
    harness.hire(over);
  };
}

async function look(harness: Harness, pull: PullRef): Promise<void> {
  await harness.as(harness.mia).comment(pull, "Any news?");
  await rest(harness);
}

describe.each(manners)("on a %s, two roles with one account and different secrets", (manner) => {
  it("do not lift each other's request for changes, and both are heard in the end", async () => {
    const harness = await buildHarness({ manner });
    const job = jobsOf(harness);
    const files = { "security/a.ts": bad, "general/b.ts": clean };
    job("security", 11);
    const pull = await harness.open({ files });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("request_changes");
    job("general", 12);
    await look(harness, pull);
    await look(harness, pull);
    expect(botVerdict(harness, pull)).toBe("request_changes");
    const general = botReviews(harness, pull).find(({ body }) => body.includes("General review"));
    expect(general?.state).toBe("commented");
    expect(general?.body).toContain("signed with another secret");
    // The one who asked lifts it, and then the other one approves as well.
    await harness.push(pull, { "security/a.ts": clean });
    job("security", 11);
    await look(harness, pull);
    expect(botVerdict(harness, pull)).toBe("approve");
    job("general", 12);
    await look(harness, pull);
    expect(botReviews(harness, pull).at(-1)?.body).toContain("General review");
    expect(botVerdict(harness, pull)).toBe("approve");
  });

  it("do not merge over each other's request for changes, and the gate is red", async () => {
    const harness = await buildHarness({ manner, rules: { merge: { when: "when_approved", requireCI: false } } });
    const job = jobsOf(harness);
    job("security", 11);
    const pull = await harness.open({ files: { "security/a.ts": bad, "general/b.ts": clean } });
    await rest(harness);
    job("general", 12);
    await look(harness, pull);
    await harness.as(harness.rita).review(pull, { event: "approve", body: "" });
    await harness.as(harness.rita).react(pull, "+1");
    await look(harness, pull);
    expect(gateOf(harness, pull)).toBe("failure");
    expect(harness.look(pull).pull.state).toBe("open");
  });

  it("leave each other's managed comment as it is", async () => {
    const harness = await buildHarness({ manner });
    const job = jobsOf(harness);
    job("security", 11);
    const pull = await harness.open({ files: { "security/a.ts": clean, "general/b.ts": clean } });
    await rest(harness);
    const [first] = managedComments(harness, pull);
    job("general", 12);
    await look(harness, pull);
    expect(managedComments(harness, pull)).toHaveLength(2);
    expect(managedComments(harness, pull)[0]?.body).toBe(first?.body);
  });

  it("are not held up by a request that somebody else has forged", async () => {
    const harness = await buildHarness({ manner });
    jobsOf(harness)("general", 12);
    const pull = await harness.open({ files: { "general/b.ts": clean } });
    const forged = `<!-- drover:review security ${"0".repeat(32)} -->\nThis is bad.`;
    await harness.as(harness.otto).review(pull, { event: "request_changes", body: forged });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("approve");
  });
});

describe.each(manners)("on a %s, a request for changes", (manner) => {
  it("that somebody dismissed comes back with the ways past it, once", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open({ files: { "src/lexer.ts": bad } });
    await rest(harness);
    const [request] = botReviews(harness, pull);
    if (request === undefined) throw new Error("nobody asked for changes");
    await harness.as(harness.mia).dismissReview(pull, request.id);
    await rest(harness);
    await harness.pass(30 * minuteMs);
    const [, again, ...others] = botReviews(harness, pull);
    expect(others).toEqual([]);
    expect(again?.state).toBe("changes_requested");
    expect(again?.body).toContain("A dismissal does not waive the blocking findings");
    expect(again?.body).toContain("`waive: <reason>`");
  });

  it("for a head that a force-push brings back says where its remarks are", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open({ files: { "src/lexer.ts": bad } });
    await rest(harness);
    const first = harness.headOf(pull);
    await harness.push(pull, { "src/lexer.ts": clean });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("approve");
    const { branch } = harness.look(pull).pull.head;
    await harness.as(harness.ada).forcePush({ repository: harness.repository, branch, to: first });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("request_changes");
    expect(botReviews(harness, pull).at(-1)?.body).toContain(
      "its remark in the code is open again, although its thread was closed",
    );
    expect(harness.look(pull).threads).toHaveLength(1);
  });

  it("for a head that comes back, whose review nobody could post the first time, has its remarks in the code", async () => {
    let isDown = true;
    const harness = await buildHarness({
      manner,
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          submitReview: async (request) => {
            if (isDown) throw new ForgeError("unavailable", "sandbox: no reviews today", { isApplied: "no" });
            return await forge.submitReview(request);
          },
        },
      }),
    });
    const pull = await harness.open({ files: { "src/lexer.ts": bad } });
    await rest(harness);
    const first = harness.headOf(pull);
    isDown = false;
    await harness.push(pull, { "src/lexer.ts": clean });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("approve");
    expect(harness.look(pull).threads).toEqual([]);
    const { branch } = harness.look(pull).pull.head;
    await harness.as(harness.ada).forcePush({ repository: harness.repository, branch, to: first });
    await rest(harness);
    expect(botVerdict(harness, pull)).toBe("request_changes");
    expect(harness.look(pull).threads.map(({ path, line }) => `${path}:${line}`)).toEqual(["src/lexer.ts:2"]);
  });
});
