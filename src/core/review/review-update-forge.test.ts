import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReviewId } from "#core/model/ids.ts";
import type { PublishedReview } from "#core/model/records.ts";
import { planReviewUpdates, type ReviewsToUpdate, type ReviewUpdate } from "#core/review/review-update.ts";
import type { Verdict } from "#core/review/verdict.ts";
import { sha } from "#testing/makers.ts";

/**
 * The update table, checked from the forge's side: a small forge takes the writes one by one, refuses what it cannot
 * do, and after each of them the rules of the house are looked up in what it holds.
 */

type Wanted = { readonly verdict: Verdict; readonly digest: string } | null;
type Capabilities = ReviewsToUpdate["capabilities"];

interface Held {
  readonly id: ReviewId;
  readonly role: string;
  readonly event: Verdict;
  readonly body: string;
  readonly isDismissed: boolean;
}

interface Setting {
  readonly capabilities: Capabilities;
  readonly isOwnPull: boolean;
}

type Write =
  | { readonly kind: "submit"; readonly role: string; readonly event: Verdict; readonly body: string }
  | { readonly kind: "edit"; readonly id: ReviewId; readonly body: string }
  | { readonly kind: "dismiss"; readonly id: ReviewId };

/** The forge after one write. It throws where a real one would answer with an error. */
function written(held: readonly Held[], write: Write, { capabilities, isOwnPull }: Setting): readonly Held[] {
  if (write.kind === "submit") {
    const { role, event, body } = write;
    if (isOwnPull && !capabilities.mayJudgeOwnPull && event !== "comment") throw new Error("refused: own pull");
    if (!capabilities.mayApprove && event === "approve") throw new Error("refused: may not approve");
    return [...held, { id: ReviewId.parse(`r${held.length}`), role, event, body, isDismissed: false }];
  }
  if (!held.some(({ id }) => id === write.id)) throw new Error("refused: no such review");
  if (write.kind === "edit" && !capabilities.mayEditReviewBodies) throw new Error("refused: bodies are final");
  if (write.kind === "dismiss" && !capabilities.mayDismissReviews) throw new Error("refused: nothing is dismissed");
  return held.map((review) => {
    if (review.id !== write.id) return review;
    return write.kind === "edit" ? { ...review, body: write.body } : { ...review, isDismissed: true };
  });
}

function inForce(held: readonly Held[]): ReviewsToUpdate["inForce"] {
  const event = held.findLast((review) => review.event !== "comment" && !review.isDismissed)?.event;
  return event === "approve" || event === "request_changes" ? event : "none";
}

function approvalInForce(held: readonly Held[]): Held | null {
  const last = held.findLast((review) => review.event !== "comment" && !review.isDismissed);
  return last?.event === "approve" ? last : null;
}

function live(held: readonly Held[], role: string): Held | null {
  const last = held.findLast((review) => review.role === role);
  return last === undefined || last.isDismissed ? null : last;
}

function existing(held: readonly Held[], role: string): PublishedReview | null {
  const review = live(held, role);
  return review && { role, review: review.id, head: sha(1), verdict: review.event, digest: review.body };
}

function plan(held: readonly Held[], wanted: ReadonlyMap<string, Wanted>, setting: Setting): readonly ReviewUpdate[] {
  const roles = [...wanted].map(([role, said]) => ({ role, existing: existing(held, role), wanted: said }));
  return planReviewUpdates({ roles, inForce: inForce(held), ...setting });
}

function writesOf(update: ReviewUpdate): readonly Write[] {
  if (update.kind === "nothing" || update.kind === "wait") return [];
  const { role, event, digest: body } = update;
  if (update.kind === "edit") return [{ kind: "edit", id: update.review, body }];
  const submit: Write = { kind: "submit", role, event, body };
  if (update.kind === "post") return [submit];
  const { review: id, marksBody, dismisses } = update.old;
  return [
    ...(dismisses ? [{ kind: "dismiss" as const, id }] : []),
    ...(marksBody ? [{ kind: "edit" as const, id, body: "superseded" }] : []),
    submit,
  ];
}

/** What may never be true of a single write, whoever makes it and whenever it is cut off. */
function problemsOfWrite(held: readonly Held[], write: Write, wanted: ReadonlyMap<string, Wanted>): readonly string[] {
  if (write.kind === "submit") {
    return when(write.event === "approve" && !allApprove(wanted), "approves what not every role approves");
  }
  const review = held.find(({ id }) => id === write.id);
  const isLast = held.findLast(({ role }) => role === review?.role)?.id === write.id;
  return [
    ...when(!isLast, "touches a review that is history"),
    ...when(write.kind === "dismiss" && review?.event !== "approve", "dismisses something but an approval"),
    ...when(write.kind === "edit" && write.body === "superseded" && review?.event !== "approve", "marks no approval"),
  ];
}

function allApprove(wanted: ReadonlyMap<string, Wanted>): boolean {
  return [...wanted.values()].every((said) => said?.verdict === "approve");
}

/**
 * An approval that is in force while not every role approves can only be one that was there before the first write: no
 * two writes happen at once, so it may last until its own turn comes.
 */
function problemsOfApproval(
  start: readonly Held[],
  after: readonly Held[],
  wanted: ReadonlyMap<string, Wanted>,
): readonly string[] {
  const isOld = start.some(({ id }) => id === approvalInForce(after)?.id);
  return when(
    approvalInForce(after) !== null && !allApprove(wanted) && !(isOld && inForce(start) === "approve"),
    "brings an approval into force that not every role gives",
  );
}

/** Every review is still there, as what it was submitted. */
function problemsOfHistory(before: readonly Held[], after: readonly Held[]): readonly string[] {
  const isKept = ({ id, role, event }: Held, index: number): boolean =>
    after[index]?.id === id && after[index].role === role && after[index].event === event;
  return when(!before.every(isKept), "loses a review");
}

/** What must be true when all that was planned is done. */
function problemsWhenDone(
  held: readonly Held[],
  wanted: ReadonlyMap<string, Wanted>,
  setting: Setting,
): readonly string[] {
  const again = plan(held, wanted, setting);
  const waiting = new Set(again.filter(({ kind }) => kind === "wait").map(({ role }) => role));
  const unsaid = [...wanted].filter(
    ([role, said]) => said !== null && !waiting.has(role) && live(held, role)?.body !== said.digest,
  );
  const said = [...wanted.values()].map((one) => one?.verdict);
  const mayJudge = setting.capabilities.mayApprove && (!setting.isOwnPull || setting.capabilities.mayJudgeOwnPull);
  const mustRequest = mayJudge && said.includes("request_changes");
  const mustApprove = mayJudge && said.every((verdict) => verdict === "approve");
  return [
    ...when(
      again.some((update) => writesOf(update).length > 0),
      "plans more writes",
    ),
    ...when(unsaid.length > 0, "does not say what a role wants to say"),
    ...when(mustRequest && inForce(held) !== "request_changes", "leaves a request for changes out of force"),
    ...when(mustApprove && inForce(held) !== "approve", "leaves an approval out of force"),
    ...when(!mayStay(approvalInForce(held), wanted, setting), "leaves an approval in force that not every role gives"),
  ];
}

/**
 * An approval that not every role gives stays only where the forge lets nobody take it away, or for an earlier head:
 * while its own role has not read this one, or approves it too and waits for others, none of whom objects.
 */
function mayStay(approval: Held | null, wanted: ReadonlyMap<string, Wanted>, { capabilities }: Setting): boolean {
  if (approval === null || allApprove(wanted) || !capabilities.mayDismissReviews) return true;
  const own = wanted.get(approval.role) ?? null;
  return own === null || [...wanted.values()].every((said) => said === null || said.verdict === "approve");
}

function when(isTrue: boolean, problem: string): readonly string[] {
  return isTrue ? [problem] : [];
}

const verdicts = ["approve", "request_changes", "comment"] as const;
const flags = [true, false];
const allCapabilities = flags.flatMap((mayEditReviewBodies) =>
  flags.flatMap((mayDismissReviews) =>
    flags.flatMap((mayJudgeOwnPull) =>
      flags.map(
        (mayApprove): Capabilities => ({ mayEditReviewBodies, mayDismissReviews, mayJudgeOwnPull, mayApprove }),
      ),
    ),
  ),
);
const settings: readonly Setting[] = allCapabilities.flatMap((capabilities) =>
  flags.map((isOwnPull) => ({ capabilities, isOwnPull })),
);

/** A sibling: what it has published, in old words, and what it says now. */
type Sibling = { readonly published: Verdict | null; readonly says: Verdict | null } | null;
const siblings: readonly Sibling[] = [
  null,
  ...[null, ...verdicts].flatMap((published) => [null, ...verdicts].map((says) => ({ published, says }))),
];

/** Forges keep what was said under other circumstances: here they take any event. */
function heldOf(reviews: readonly (readonly [string, Verdict | null])[]): readonly Held[] {
  return reviews.flatMap(([role, event], index) =>
    event === null ? [] : [{ id: ReviewId.parse(`old-${index}`), role, event, body: "words", isDismissed: false }],
  );
}

/** The table of the specification, as one reads it there. */
const rows = {
  none: { approve: "post", request_changes: "post", comment: "post" },
  approve: { approve: "same", request_changes: "supersede_and_post", comment: "supersede_and_post" },
  request_changes: { approve: "post", request_changes: "same", comment: "post" },
  comment: { approve: "post", request_changes: "post", comment: "same" },
} as const;

interface Case {
  readonly published: Verdict | null;
  readonly says: Verdict | null;
  readonly body: string;
  readonly sibling: Sibling;
  readonly setting: Setting;
  readonly held: readonly Held[];
}

function expectedKind({ published, says, body, sibling, setting, held }: Case): ReviewUpdate["kind"] {
  if (says === null) return "nothing";
  const { mayEditReviewBodies, mayDismissReviews, mayJudgeOwnPull } = setting.capabilities;
  const mayJudge = !setting.isOwnPull || mayJudgeOwnPull;
  const siblingRequests = sibling !== null && (sibling.says ?? sibling.published) === "request_changes";
  const judged = says === "approve" && sibling?.says === "comment" ? "comment" : says;
  const worst = siblingRequests ? "request_changes" : judged;
  // An account that may not approve says nothing new but comments; what it has said it may say in other words.
  const isSaid = setting.capabilities.mayApprove || (published === worst && mayEditReviewBodies);
  const event = mayJudge && isSaid ? worst : "comment";
  const row = rows[published ?? "none"][event];
  const isSame = row === "same" && body === "words";
  if (event === "approve" && sibling !== null && sibling.says === null && !isSame) return "wait";
  // Both roles request changes in this case, and of both the role of this test comes first by name.
  const siblingSpeaks = sibling !== null && sibling.says !== null && sibling.published !== "request_changes";
  const siblingPosts = siblingSpeaks && setting.capabilities.mayApprove;
  if (event === "request_changes" && row === "same" && inForce(held) === "approve" && !siblingPosts) return "post";
  if (row !== "same") return row;
  if (isSame) return "nothing";
  // It asks for a sibling's sake alone, which may be content with this head.
  if (event === "request_changes" && says !== "request_changes" && sibling?.says === null) return "wait";
  if (mayEditReviewBodies) return "edit";
  return event === "approve" && mayDismissReviews ? "supersede_and_post" : "post";
}

function permutations<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  if (values.length < 2) return [values];
  return values.flatMap((one, index) => permutations(values.toSpliced(index, 1)).map((others) => [one, ...others]));
}

/** Applies updates in the order given, up to a number of single writes, and looks at each of them. */
function apply(
  start: readonly Held[],
  updates: readonly ReviewUpdate[],
  wanted: ReadonlyMap<string, Wanted>,
  setting: Setting,
  writesMax = Infinity,
): { readonly held: readonly Held[]; readonly problems: readonly string[] } {
  let held = start;
  const problems: string[] = [];
  for (const write of updates.flatMap(writesOf).slice(0, writesMax)) {
    const after = written(held, write, setting);
    problems.push(
      ...problemsOfWrite(held, write, wanted),
      ...problemsOfApproval(start, after, wanted),
      ...problemsOfHistory(held, after),
    );
    held = after;
  }
  return { held, problems };
}

function problemsOfCase(one: Case): readonly string[] {
  const { says, body, sibling, setting, held } = one;
  const wanted = new Map<string, Wanted>([["general", says && { verdict: says, digest: body }]]);
  if (sibling !== null) wanted.set("security", sibling.says && { verdict: sibling.says, digest: "news" });
  const updates = plan(held, wanted, setting);
  const [kind, expected] = [updates[0]?.kind, expectedKind(one)];
  const problems = permutations(updates).flatMap((order) => {
    const done = apply(held, order, wanted, setting);
    return [...done.problems, ...problemsWhenDone(done.held, wanted, setting)];
  });
  const all = [...when(kind !== expected, `${kind} instead of ${expected}`), ...problems];
  return all.map((problem) => `${problem}: ${JSON.stringify(one)}`);
}

describe.each([null, ...verdicts])("existing review: %s", (published) => {
  it.each([null, ...verdicts])("new verdict: %s, with every body, sibling, capability and order of writes", (says) => {
    const own = ["general", published] as const;
    const cases = settings.flatMap((setting) =>
      siblings.flatMap((sibling) => {
        const others = sibling === null ? [] : [["security", sibling.published] as const];
        const histories = [heldOf([own, ...others]), heldOf([...others, own])];
        return histories.flatMap((held) =>
          ["words", "other words"].map((body): Case => ({ published, says, body, sibling, setting, held })),
        );
      }),
    );
    expect(cases).toHaveLength(settings.length * siblings.length * 4);
    expect(cases.flatMap(problemsOfCase)).toEqual([]);
  });
});

const anyWanted: fc.Arbitrary<Wanted> = fc.option(
  fc.record({ verdict: fc.constantFrom(...verdicts), digest: fc.constantFrom("these words", "those words") }),
);
const anyPush = fc.record({
  said: fc.tuple(anyWanted, anyWanted, anyWanted),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  writesMax: fc.nat(4),
});
const anyPushes = fc.array(anyPush, { minLength: 1, maxLength: 6 });

it("any history of pushes, with writes in any order and cut off anywhere, never approves wrongly and settles", () => {
  fc.assert(
    fc.property(fc.constantFrom(...settings), anyPushes, fc.integer({ min: 1, max: 3 }), (setting, pushes, count) => {
      let held: readonly Held[] = [];
      for (const { said, order, writesMax } of pushes) {
        const wanted = new Map(said.slice(0, count).map((one, index) => [`role-${index}`, one]));
        const planned = (from: readonly Held[]): readonly ReviewUpdate[] => {
          const updates = plan(from, wanted, setting);
          return order.flatMap((index) => updates[index] ?? []);
        };
        const cut = apply(held, planned(held), wanted, setting, writesMax);
        // Looking again after the cut settles everything; the next push finds the forge as the cut left it.
        const settled = apply(cut.held, planned(cut.held), wanted, setting);
        expect([...cut.problems, ...settled.problems]).toEqual([]);
        expect(problemsWhenDone(settled.held, wanted, setting)).toEqual([]);
        held = cut.held;
      }
    }),
    { numRuns: 1000 },
  );
});
