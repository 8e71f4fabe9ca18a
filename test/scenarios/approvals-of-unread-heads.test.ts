// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { makeBlockSecret } from "#core/blocks/block-secret.ts";
import { blankedText } from "#core/effects/effect-mark.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { botReviews, botVerdict, gateOf, managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town, type TownOptions } from "#town/town.ts";

const clean = "export const words = 1;\n";
const bad = "export function words() {\n  debugger;\n}\n";

async function rest(town: Town): Promise<void> {
  await town.settle();
  await town.pass(3 * minuteMs);
}

async function openApproved(town: Town): Promise<PullRef> {
  const pull = await town.open({ by: town.otto, files: { "src/lexer.ts": clean } });
  await rest(town);
  expect(botVerdict(town, pull)).toBe("approve");
  return pull;
}

/** A reviewer that does as the head is told: most of its looks are by the rules. */
function whoever(over: (usual: Reviewer) => Reviewer): NonNullable<TownOptions["parts"]> {
  return ({ reviewers }) => ({ reviewers: { ...reviewers, rules: over(reviewers.rules ?? { review: neverAsked }) } });
}

function neverAsked(): never {
  throw new Error("the rules are there");
}

function isBad(diff: Uint8Array): boolean {
  return new TextDecoder().decode(diff).includes("debugger");
}

/** Why nobody reads the bad head whole. */
const reasons: Readonly<
  Record<string, { readonly before?: (town: Town, pull: PullRef) => Promise<void>; readonly options?: TownOptions }>
> = {
  "while reviews are switched off": {
    before: async (town, pull) => void (await town.as(town.otto).comment(pull, "@drover disable-reviews")),
  },
  "to a draft": { before: async (town, pull) => await town.as(town.otto).editPull(pull, { isDraft: true }) },
  "that its reviewer gives up": {
    options: {
      rules: { reviews: { attemptsMax: 1 } },
      parts: whoever((usual) => ({
        review: async (job) =>
          isBad(job.diff) ? { kind: "failed", why: "It broke.", retryAt: null } : await usual.review(job),
      })),
    },
  },
  "that is read in part": {
    options: {
      parts: whoever((usual) => ({
        review: async (job) => {
          const outcome = await usual.review(job);
          if (!isBad(job.diff) || outcome.kind !== "completed") return outcome;
          const unread = [{ path: "src/lexer.ts", why: "size" as const }];
          return { ...outcome, findings: [], coverage: { filesRead: 1, unread } };
        },
      })),
    },
  },
};

describe.each(manners)("on a %s, a stranger's clean pull is approved, and bad code is pushed", (manner) => {
  it.each(Object.entries(reasons))("%s: the approval does not stand for it", async (_, { before, options }) => {
    const town = await buildTown({ ...options, manner });
    const pull = await openApproved(town);
    await before?.(town, pull);
    await rest(town);
    await town.push(pull, { "src/lexer.ts": bad }, town.otto);
    await rest(town);
    expect(botVerdict(town, pull)).toBeUndefined();
    expect(gateOf(town, pull)).not.toBe("success");
    const [approval] = botReviews(town, pull);
    expect(approval?.state).toBe("dismissed");
    expect(approval?.body).toContain("Superseded");
    // Nothing is said again, however long it stays like this.
    const said = botReviews(town, pull);
    await town.pass(30 * minuteMs);
    expect(botReviews(town, pull)).toEqual(said);
  });

  it("and its review is cancelled at once: the approval does not stand for it", async () => {
    const town = await buildTown({ manner });
    const pull = await openApproved(town);
    await town.push(pull, { "src/lexer.ts": bad }, town.otto);
    await town.clock.advance(minuteMs);
    await town.as(town.otto).comment(pull, "@drover cancel");
    await rest(town);
    // Where a forge does not tell when somebody pushed, nobody knows which head was meant, and it is read.
    expect(botVerdict(town, pull)).toBe(manner === "github" ? undefined : "request_changes");
  });

  it("then clean code again, and reviews are on: it is approved anew", async () => {
    const town = await buildTown({ manner });
    const pull = await openApproved(town);
    await town.as(town.rita).comment(pull, "@drover disable-reviews");
    await town.push(pull, { "src/lexer.ts": bad }, town.otto);
    await rest(town);
    await town.push(pull, { "src/lexer.ts": "export const words = 2;\n" }, town.otto);
    await town.as(town.rita).comment(pull, "@drover enable-reviews");
    await rest(town);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["dismissed", "approved"]);
    expect(botVerdict(town, pull)).toBe("approve");
  });

  it("and the forge lets nobody dismiss it: a comment says that it no longer counts, once", async () => {
    const town = await buildTown({
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
    const pull = await openApproved(town);
    await town.as(town.otto).comment(pull, "@drover disable-reviews");
    await town.push(pull, { "src/lexer.ts": bad }, town.otto);
    await rest(town);
    await town.pass(3 * 60 * minuteMs);
    const [approval, comment, ...others] = botReviews(town, pull);
    expect(others).toEqual([]);
    expect(approval?.body).toContain("Superseded");
    expect(comment).toMatchObject({ state: "commented" });
    expect(comment?.body).toContain("This approval is withdrawn");
    expect(comment?.body).toContain("Reviews are switched off");
  });

  it("that is read in part, while the forge does not serve the dismissal: it is dismissed as soon as the forge does", async () => {
    let isDown = false;
    const readInPart = reasons["that is read in part"]?.options?.parts;
    const town = await buildTown({
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
    const pull = await openApproved(town);
    isDown = true;
    await town.push(pull, { "src/lexer.ts": bad }, town.otto);
    await rest(town);
    isDown = false;
    await town.pass(30 * minuteMs);
    expect(botVerdict(town, pull)).toBeUndefined();
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["dismissed", "commented"]);
  });

  it("after the approval was sent twice: the one that was blanked does not stand either", async () => {
    const town = await buildTown({ manner });
    const pull = await openApproved(town);
    await town.as(town.bot).review(pull, { event: "approve", body: blankedText });
    await town.as(town.rita).comment(pull, "@drover disable-reviews");
    await town.push(pull, { "src/lexer.ts": bad }, town.otto);
    await rest(town);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["dismissed", "dismissed"]);
    expect(botVerdict(town, pull)).toBeUndefined();
  });

  it("by somebody whose approval with the bot's own account carries no mark: that is theirs", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({ by: town.otto, files: { "src/lexer.ts": clean }, isDraft: true });
    await town.as(town.bot).review(pull, { event: "approve", body: "Looks good to me." });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("approve");
  });
});

/** One role each, as two jobs of a CI would run them: the same account, and a secret of their own. */
function jobsOf(town: Town) {
  return (role: string, secret: number): void => {
    const { instance, store, queue } = town.settleStranger(role);
    const roles = [{ name: role, reviewer: "rules" as const, paths: [`/${role}/`] }];
    const over: Partial<Dependencies> = {
      instance,
      store,
      queue,
      secret: makeBlockSecret(new Uint8Array(32).fill(secret)),
      rulesOf: async (pull) => ({
        ...(await town.dependencies.rulesOf(pull)),
        reviews: { ...(await town.dependencies.rulesOf(pull)).reviews, roles },
      }),
    };
    town.dismissAll();
    town.hire(over);
  };
}

async function look(town: Town, pull: PullRef): Promise<void> {
  await town.as(town.mia).comment(pull, "Any news?");
  await rest(town);
}

describe.each(manners)("on a %s, two roles with one account and different secrets", (manner) => {
  it("do not lift each other's request for changes, and both are heard in the end", async () => {
    const town = await buildTown({ manner });
    const job = jobsOf(town);
    const files = { "security/a.ts": bad, "general/b.ts": clean };
    job("security", 11);
    const pull = await town.open({ files });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("request_changes");
    job("general", 12);
    await look(town, pull);
    await look(town, pull);
    expect(botVerdict(town, pull)).toBe("request_changes");
    const general = botReviews(town, pull).find(({ body }) => body.includes("General review"));
    expect(general?.state).toBe("commented");
    expect(general?.body).toContain("signed with another secret");
    // The one who asked lifts it, and then the other one approves as well.
    await town.push(pull, { "security/a.ts": clean });
    job("security", 11);
    await look(town, pull);
    expect(botVerdict(town, pull)).toBe("approve");
    job("general", 12);
    await look(town, pull);
    expect(botReviews(town, pull).at(-1)?.body).toContain("General review");
    expect(botVerdict(town, pull)).toBe("approve");
  });

  it("do not merge over each other's request for changes, and the gate is red", async () => {
    const town = await buildTown({ manner, rules: { merge: { when: "when_approved", requireCI: false } } });
    const job = jobsOf(town);
    job("security", 11);
    const pull = await town.open({ files: { "security/a.ts": bad, "general/b.ts": clean } });
    await rest(town);
    job("general", 12);
    await look(town, pull);
    await town.as(town.rita).review(pull, { event: "approve", body: "" });
    await town.as(town.rita).react(pull, "+1");
    await look(town, pull);
    expect(gateOf(town, pull)).toBe("failure");
    expect(town.look(pull).pull.state).toBe("open");
  });

  it("leave each other's managed comment as it is", async () => {
    const town = await buildTown({ manner });
    const job = jobsOf(town);
    job("security", 11);
    const pull = await town.open({ files: { "security/a.ts": clean, "general/b.ts": clean } });
    await rest(town);
    const [first] = managedComments(town, pull);
    job("general", 12);
    await look(town, pull);
    expect(managedComments(town, pull)).toHaveLength(2);
    expect(managedComments(town, pull)[0]?.body).toBe(first?.body);
  });

  it("are not held up by a request that somebody else has forged", async () => {
    const town = await buildTown({ manner });
    jobsOf(town)("general", 12);
    const pull = await town.open({ files: { "general/b.ts": clean } });
    const forged = `<!-- drover:review security ${"0".repeat(32)} -->\nThis is bad.`;
    await town.as(town.otto).review(pull, { event: "request_changes", body: forged });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("approve");
  });
});

describe.each(manners)("on a %s, a request for changes", (manner) => {
  it("that somebody dismissed comes back with the ways past it, once", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({ files: { "src/lexer.ts": bad } });
    await rest(town);
    const [request] = botReviews(town, pull);
    if (request === undefined) throw new Error("nobody asked for changes");
    await town.as(town.mia).dismissReview(pull, request.id);
    await rest(town);
    await town.pass(30 * minuteMs);
    const [, again, ...others] = botReviews(town, pull);
    expect(others).toEqual([]);
    expect(again?.state).toBe("changes_requested");
    expect(again?.body).toContain("A dismissal does not waive the blocking findings");
    expect(again?.body).toContain("`waive: <reason>`");
  });

  it("for a head that a force-push brings back says where its remarks are", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({ files: { "src/lexer.ts": bad } });
    await rest(town);
    const first = town.headOf(pull);
    await town.push(pull, { "src/lexer.ts": clean });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("approve");
    const { branch } = town.look(pull).pull.head;
    await town.as(town.ada).forcePush({ repository: town.repository, branch, to: first });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("request_changes");
    expect(botReviews(town, pull).at(-1)?.body).toContain(
      "its remark in the code is open again, although its thread was closed",
    );
    expect(town.look(pull).threads).toHaveLength(1);
  });

  it("for a head that comes back, whose review nobody could post the first time, has its remarks in the code", async () => {
    let isDown = true;
    const town = await buildTown({
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
    const pull = await town.open({ files: { "src/lexer.ts": bad } });
    await rest(town);
    const first = town.headOf(pull);
    isDown = false;
    await town.push(pull, { "src/lexer.ts": clean });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("approve");
    expect(town.look(pull).threads).toEqual([]);
    const { branch } = town.look(pull).pull.head;
    await town.as(town.ada).forcePush({ repository: town.repository, branch, to: first });
    await rest(town);
    expect(botVerdict(town, pull)).toBe("request_changes");
    expect(town.look(pull).threads.map(({ path, line }) => `${path}:${line}`)).toEqual(["src/lexer.ts:2"]);
  });
});
