import * as fc from "fast-check";
import { expect, it } from "vitest";
import { deriveApproval } from "#core/approval/approval.ts";
import type { Account } from "#core/model/account.ts";
import { type Reaction, Review } from "#core/model/conversation.ts";
import { PatchId } from "#core/model/ids.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { ApprovalRecord } from "#core/model/records.ts";
import { alice, anInput, aPullAt, atSecond, bob } from "#testing/approval-makers.ts";
import { sha } from "#testing/makers.ts";

/**
 * A small forge with a clock of whole seconds, and a Drover that looks at it now and then. The forge knows what Drover
 * cannot: which head really stood when each approval was given. No approval may count for anything else.
 */
type Step =
  | { readonly kind: "wait" }
  | { readonly kind: "look" }
  | { readonly kind: "push"; readonly head: number }
  | { readonly kind: "retarget"; readonly base: string }
  | { readonly kind: "thumb" | "unthumb" | "approve" | "dismiss"; readonly by: Account };

interface Given {
  readonly signal: { readonly kind: "thumb"; reaction: Reaction } | { readonly kind: "review"; review: Review };
  readonly head: number;
  readonly base: string;
}

interface Forge {
  second: number;
  head: number;
  base: string;
  pushedSecond: number;
  baseSecond: number;
  given: Given[];
}

interface Memory {
  heads: HeadSeen[];
  records: ApprovalRecord[];
}

/** Heads of the same remainder are rebases of each other with an identical patch. */
function patchOf(head: number): number {
  return head % 3;
}

function step(forge: Forge, one: Exclude<Step, { kind: "look" }>): void {
  switch (one.kind) {
    case "wait":
      forge.second++;
      return;
    case "push":
      if (one.head === forge.head) return;
      forge.head = one.head;
      forge.pushedSecond = forge.second;
      repoint(forge);
      return;
    case "retarget":
      if (one.base !== forge.base) forge.baseSecond = forge.second;
      forge.base = one.base;
      return;
    case "thumb":
      give(forge, one.by, {
        kind: "thumb",
        reaction: { author: one.by, content: "+1", createdAt: atSecond(forge.second) },
      });
      return;
    case "approve":
      give(forge, one.by, { kind: "review", review: aFormalApproval(forge, one.by) });
      return;
    case "unthumb":
      // Taken away and given again within one second, a thumb cannot be told from itself.
      forge.given = forge.given.filter(({ signal }) => signal.kind !== "thumb" || signal.reaction.author !== one.by);
      forge.second++;
      return;
    case "dismiss":
      for (const { signal } of forge.given) {
        if (signal.kind === "review" && signal.review.author.id === one.by.id) {
          signal.review = { ...signal.review, state: "dismissed" };
        }
      }
  }
}

/** One thumb a person, any number of reviews. */
function give(forge: Forge, by: Account, signal: Given["signal"]): void {
  const isThere = forge.given.some((one) => one.signal.kind === "thumb" && one.signal.reaction.author === by);
  if (signal.kind === "thumb" && isThere) return;
  forge.given.push({ signal, head: forge.head, base: forge.base });
}

function aFormalApproval(forge: Forge, by: Account): Review {
  return Review.parse({
    id: `review-${forge.given.length}-${forge.second}`,
    author: by,
    state: "approved",
    body: "",
    submittedAt: atSecond(forge.second),
    commit: sha(forge.head),
  });
}

/** What a force-push may do to the commit of every review. */
function repoint(forge: Forge): void {
  for (const { signal } of forge.given) {
    if (signal.kind === "review") signal.review = { ...signal.review, commit: sha(forge.head) };
  }
}

/** A new entry whenever head or base differ from the last one, since the later of push and retargeting if they are told. */
function look(forge: Forge, memory: Memory, isTold: boolean): ReturnType<typeof deriveApproval> {
  const last = memory.heads.at(-1);
  if (last?.sha !== sha(forge.head) || last.baseBranch !== forge.base) {
    const told = atSecond(Math.max(forge.pushedSecond, forge.baseSecond));
    const isUsable = isTold && (last === undefined || told > last.since);
    memory.heads.push({
      sha: sha(forge.head),
      baseBranch: forge.base,
      since: isUsable ? told : atSecond(forge.second),
      patch: PatchId.parse(`patch ${patchOf(forge.head)}`),
    });
  }
  const approval = deriveApproval(
    anInput({
      observedAt: atSecond(forge.second),
      pull: aPullAt(
        forge.head,
        forge.base,
        isTold ? { pushedAt: atSecond(forge.pushedSecond), baseSince: atSecond(forge.baseSecond) } : {},
      ),
      heads: memory.heads,
      records: memory.records,
      reactions: forge.given.flatMap(({ signal }) => (signal.kind === "thumb" ? [signal.reaction] : [])),
      reviews: forge.given.flatMap(({ signal }) => (signal.kind === "review" ? [signal.review] : [])),
    }),
  );
  memory.records.push(...approval.toRecord);
  return approval;
}

function checkTruth(forge: Forge, approval: ReturnType<typeof deriveApproval>): number {
  for (const counted of approval.counted) {
    const truth = forge.given.find(({ signal }) => nameOf(signal) === counted.signal);
    expect(truth).toBeDefined();
    expect(truth?.base).toBe(forge.base);
    if (truth?.head !== forge.head) expect(patchOf(truth?.head ?? -1)).toBe(patchOf(forge.head));
  }
  return approval.counted.length;
}

function nameOf(signal: Given["signal"]): string {
  if (signal.kind === "review") return `review:${signal.review.id}`;
  return `reaction:${signal.reaction.author.id}:${signal.reaction.createdAt}`;
}

const by = fc.constantFrom(alice, bob);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>({ kind: "wait" }) },
    { weight: 4, arbitrary: fc.constant<Step>({ kind: "look" }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }).map((head): Step => ({ kind: "push", head })) },
    { weight: 1, arbitrary: fc.constantFrom("main", "next").map((base): Step => ({ kind: "retarget", base })) },
    { weight: 3, arbitrary: by.map((account): Step => ({ kind: "thumb", by: account })) },
    { weight: 2, arbitrary: by.map((account): Step => ({ kind: "approve", by: account })) },
    { weight: 1, arbitrary: by.map((account): Step => ({ kind: "unthumb", by: account })) },
    { weight: 1, arbitrary: by.map((account): Step => ({ kind: "dismiss", by: account })) },
  ),
  { minLength: 10, maxLength: 60 },
);

/**
 * Where the forge does not tell when it was pushed or retargeted, a head or a base that leaves and comes back between two
 * looks leaves no trace: in those runs no head comes back, and each change of base is looked at.
 */
function run(story: readonly Step[], isTold: boolean): number {
  const forge: Forge = { second: 0, head: 1, base: "main", pushedSecond: 0, baseSecond: 0, given: [] };
  const memory: Memory = { heads: [], records: [] };
  let pushes = 0;
  let counted = 0;
  for (const one of story) {
    if (one.kind === "push") pushes++;
    if (one.kind !== "look") {
      step(forge, one.kind === "push" && !isTold ? { kind: "push", head: one.head + 6 * pushes } : one);
    }
    if (one.kind === "look" || (one.kind === "retarget" && !isTold)) {
      counted += checkTruth(forge, look(forge, memory, isTold));
    }
  }
  return counted;
}

it.each([
  ["tells when it was pushed and retargeted, while heads and bases come back", true],
  ["does not tell it", false],
])("an approval does not count for a change that its author did not see, on a forge that %s", (_, isTold) => {
  let counted = 0;
  fc.assert(
    fc.property(steps, (story) => {
      counted += run(story, isTold);
    }),
    { numRuns: 500 },
  );
  // A Drover that counted nothing would be right every time.
  expect(counted).toBeGreaterThan(100);
});

it("an approval counts for as long as the change is the one that was approved", () => {
  const story = ["look", "wait", "thumb", "wait", "look", "push", "look", "wait", "push", "look"].map(
    (kind, index): Step => {
      if (kind === "push") return { kind: "push", head: index === 5 ? 4 : 2 };
      if (kind === "thumb") return { kind: "thumb", by: alice };
      return kind === "look" ? { kind: "look" } : { kind: "wait" };
    },
  );
  // Seen at head 1 and carried to head 4, which has the same patch; not to head 2, which has not.
  expect(run(story, true)).toBe(2);
});
