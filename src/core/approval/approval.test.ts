import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveApproval } from "#core/approval/approval.ts";
import type { ApprovalInput } from "#core/approval/approval-input.ts";
import type { Account } from "#core/model/account.ts";
import {
  aHeadAt,
  alice,
  anInput,
  aPullAt,
  aReactionAt,
  aRecord,
  aReviewAt,
  atSecond,
  author,
  bob,
  carol,
  outsider,
  stranger,
} from "#testing/approval-makers.ts";
import { drover, otherBot, sha } from "#testing/makers.ts";

describe("what is told of each approval", () => {
  it("is why it does not count", () => {
    const reactions = [author, drover, otherBot, outsider, stranger].map((account) => aReactionAt("+1", account, 5));
    const { status, counted, ignored, toRecord } = deriveApproval(anInput({ reactions }));
    expect({ status, counted, toRecord }).toEqual({ status: "pending", counted: [], toRecord: [] });
    expect(Object.fromEntries(ignored.map((one) => [one.account.login, one.why]))).toEqual({
      author: "own_pull",
      drover: "bot",
      "other-bot": "bot",
      outsider: "not_permitted",
      stranger: "undetermined_permission",
    });
  });

  it("is that its protocol is off, and then it is not recorded either", () => {
    const reactions = [aReactionAt("+1", alice, 5)];
    const reviews = [aReviewAt("approved", bob, 6)];
    const emoji = deriveApproval(anInput({ reactions, reviews, approval: { protocols: "emoji" } }));
    expect(emoji).toMatchObject({ counted: [{ account: alice }], ignored: [{ account: bob, why: "protocol_off" }] });
    const formal = deriveApproval(anInput({ reactions, reviews, approval: { protocols: "reviews" } }));
    expect(formal).toMatchObject({ counted: [{ account: bob }], ignored: [{ account: alice, why: "protocol_off" }] });
    expect(formal.toRecord.map((record) => record.account)).toEqual([bob.id]);
  });

  it("prefers, of two by one person, the one given for this very head", () => {
    const early = aReactionAt("+1", alice, 100);
    const late = aReviewAt("approved", alice, 300);
    const heads = [aHeadAt(1, 0, { patch: "p" }), aHeadAt(2, 200, { patch: "p" })];
    const told = { heads, pull: aPullAt(2, "main"), reactions: [early], reviews: [late], records: [aRecord(early, 1)] };
    const approval = deriveApproval(anInput(told));
    expect(approval.counted).toMatchObject([{ protocol: "reviews", head: sha(2), isCarried: false }]);
    expect(approval.toRecord).toEqual([aRecord(late, 2)]);
  });
});

const everybody = [author, alice, bob, carol, outsider, stranger, drover, otherBot];
const unpermitted = [author, outsider, stranger, drover, otherBot];
const second = fc.integer({ min: -3, max: 40 });

function anySeen(people: readonly Account[]): fc.Arbitrary<ApprovalInput> {
  const person = fc.constantFrom(...people);
  const reaction = fc
    .tuple(fc.constantFrom("+1" as const, "+1" as const, "eyes" as const, "heart" as const), person, second)
    .map(([content, account, seconds]) => aReactionAt(content, account, seconds));
  const state = fc.constantFrom("approved", "approved", "changes_requested", "commented", "dismissed", "pending");
  const review = fc
    .tuple(state, person, second, fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
    .map(([kind, account, seconds, commit]) => {
      const told = {
        id: `${kind}-${account.login}-${seconds}`,
        ...(commit === undefined ? {} : { commit: sha(commit) }),
      };
      return aReviewAt(kind, account, seconds, told);
    });
  const head = fc
    .tuple(
      fc.integer({ min: 1, max: 3 }),
      second,
      fc.constantFrom("main", "main", "main", "next"),
      fc.constantFrom("p", "p", "q", undefined),
    )
    .map(([number, seconds, base, patch]) =>
      aHeadAt(number, seconds, patch === undefined ? { base } : { base, patch }),
    );
  return fc
    .record({
      reactions: fc.array(reaction, { maxLength: 6 }),
      reviews: fc.array(review, { maxLength: 6 }),
      earlier: fc.array(head, { maxLength: 3 }),
      current: head,
      recorded: fc.array(fc.option(fc.integer({ min: 1, max: 3 })), { minLength: 12, maxLength: 12 }),
      feedback: fc.array(
        person.map((account) => ({ id: `by ${account.login}`, author: account.id, at: atSecond(4) })),
        { maxLength: 2 },
      ),
      protocols: fc.constantFrom("emoji" as const, "reviews" as const, "both" as const),
      approvalsMin: fc.integer({ min: 1, max: 2 }),
      observed: fc.integer({ min: 30, max: 4000 }),
    })
    .map((drawn) => {
      const latest = Math.max(drawn.current.since, ...drawn.earlier.map((one) => one.since));
      const current = { ...drawn.current, since: atSecond((latest - atSecond(0)) / 1000) };
      const records = [...drawn.reactions, ...drawn.reviews].flatMap((signal, index) => {
        const number = drawn.recorded[index] ?? null;
        return number === null ? [] : [aRecord(signal, number)];
      });
      return anInput({
        reactions: drawn.reactions,
        reviews: drawn.reviews,
        heads: [...drawn.earlier, current],
        pull: { ...aPullAt(1, current.baseBranch), head: { ...aPullAt(1, "main").head, sha: current.sha } },
        records,
        feedback: drawn.feedback,
        observedAt: atSecond(drawn.observed),
        approval: { protocols: drawn.protocols, approvalsMin: drawn.approvalsMin },
      });
    });
}

describe("whatever was seen", () => {
  const seen = anySeen(everybody);

  it("does not depend on the order of lists, nor on elements that come twice", () => {
    const lists = ["reviews", "reactions", "permissions", "heads", "records", "feedback"] as const;
    fc.assert(
      fc.property(seen, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (input, chance) => {
        const stirred = Object.fromEntries(lists.map((list) => [list, stir<unknown>(input[list], chance)]));
        expect(deriveApproval({ ...input, ...stirred })).toEqual(deriveApproval(input));
      }),
      { numRuns: 300 },
    );
  });

  it("is never approved by the author, bots and people without permission, in any arrangement", () => {
    fc.assert(
      fc.property(anySeen(unpermitted), (input) => {
        const approval = deriveApproval(input);
        expect(approval.counted).toEqual([]);
        expect(approval.toRecord).toEqual([]);
        expect(approval.status).not.toBe("approved");
      }),
      { numRuns: 300 },
    );
  });

  it("is approved exactly when nothing is missing and nobody objects", () => {
    fc.assert(
      fc.property(seen, (input) => {
        const { status, missing, objections, counted } = deriveApproval(input);
        expect(status === "approved").toBe(missing.length === 0 && objections.length === 0);
        expect(missing.length === 0).toBe(counted.length >= input.rules.approval.approvalsMin);
      }),
      { numRuns: 300 },
    );
  });

  it("is never more approved when an approval is taken away", () => {
    fc.assert(
      fc.property(seen, fc.nat(), (input, chance) => {
        const before = deriveApproval(input);
        const signals = [...before.counted, ...before.ignored].map((one) => one.signal);
        const gone = signals[chance % Math.max(1, signals.length)];
        const after = deriveApproval({
          ...input,
          reviews: input.reviews.filter((one) => `review:${one.id}` !== gone),
          reactions: input.reactions.filter((one) => `reaction:${one.author.id}:${one.createdAt}` !== gone),
        });
        const names = new Set(before.counted.map((one) => one.account.login));
        expect(after.counted.filter((one) => !names.has(one.account.login))).toEqual([]);
        expect(after.status === "approved" && before.status !== "approved").toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps its approvals when those that are to be recorded are", () => {
    fc.assert(
      fc.property(seen, (input) => {
        const before = deriveApproval(input);
        const after = deriveApproval({ ...input, records: [...input.records, ...before.toRecord] });
        expect(after).toEqual({ ...before, toRecord: [] });
      }),
      { numRuns: 300 },
    );
  });

  it("loses every approval when the pull is retargeted", () => {
    fc.assert(
      fc.property(seen, (input) => {
        const { head } = input.pull;
        const standing = input.heads.find((one) => one.sha === head.sha);
        const retargeted = {
          sha: head.sha,
          baseBranch: "elsewhere",
          since: atSecond(50),
          patch: standing?.patch ?? null,
        };
        const pull = { ...input.pull, base: { branch: "elsewhere", since: null } };
        const approval = deriveApproval({ ...input, pull, heads: [...input.heads, retargeted] });
        expect(approval.counted).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** Another order, and some elements twice, as the numbers say. */
function stir<Item>(items: readonly Item[], chance: readonly number[]): readonly Item[] {
  const doubled = items.flatMap((item, index) => ((chance[index] ?? 0) % 3 === 0 ? [item, item] : [item]));
  const keyed = doubled.map((item, index) => ({ item, key: (chance[(index * 7) % 40] ?? 0) % 101 }));
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}
