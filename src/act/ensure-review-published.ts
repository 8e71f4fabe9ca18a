import { composeBody } from "#act/compose-body.ts";
import { pendingReviews } from "#act/converge-effects.ts";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { ensureOnce, ensureState, waitForLane } from "#act/ledger.ts";
import type { PullContext } from "#act/pull-context.ts";
import {
  type ComposedReview,
  composeRemarks,
  isSure,
  type RemarkFilter,
  readComposed,
  unsaidFindings,
} from "#act/review-remarks.ts";
import { backoffMs } from "#core/backoff.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import { writeFindingMark } from "#core/effects/finding-mark.ts";
import type { RecordUpdate } from "#core/effects/record-update.ts";
import type { ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { ReviewId } from "#core/model/ids.ts";
import { after, hourMs } from "#core/model/instant.ts";
import type { PublishedReview } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { actionKey } from "#core/plan/action-key.ts";
import type { ReviewUpdate } from "#core/review/review-update.ts";
import { eventNote } from "#core/words/review-body.ts";
import { supersededBody } from "#core/words/superseded-body.ts";

type Publish = ActionOf<"publish_review">;
type Written = Exclude<ReviewUpdate, { readonly kind: "nothing" | "wait" }>;

export async function ensureReviewPublished(context: PullContext, action: Publish): Promise<EffectOutcome> {
  const { update } = action;
  if (pendingReviews(context).length > 0) {
    const at = after(context.dependencies.clock.now(), context.dependencies.durations.settleMs);
    return { kind: "later", at, why: "a review that was never submitted has to go first" };
  }
  switch (update.kind) {
    case "nothing":
    case "wait":
      return { kind: "done", result: null };
    case "edit":
      return await edit(context, action, update);
    case "post":
      return await post(context, action, update);
    case "supersede_and_post": {
      const superseded = await supersede(context, action, update.old);
      return superseded.kind === "later" ? superseded : await post(context, action, update);
    }
    default:
      return never(update);
  }
}

function effectOf(action: Publish, update: Written): Omit<Effect, "kind"> {
  const { role, head } = action;
  const note: RecordUpdate = {
    kind: "published",
    published: { role, head, verdict: update.event, digest: update.digest },
  };
  const why = { askedBy: `the ${role} role`, rule: `${update.kind}: ${update.why}`, inputs: [head, update.digest] };
  return { key: action.key, lane: `review/${role}`, head, why, note };
}

async function post(context: PullContext, action: Publish, update: Written): Promise<EffectOutcome> {
  const effect: Effect = { ...effectOf(action, update), kind: "review" };
  const waiting = await waitAfterMany(context, effect);
  if (waiting !== undefined) return waiting;
  let posted = await submit(context, action, { effect, update, remarks: "all" });
  // The forge does not say which remark it refused: doubtful ones move into the text first, then all of them.
  for (const remarks of ["sure", "none"] as const) {
    if (posted.kind !== "refused" || posted.error !== "refused") break;
    if (remarks === "none" || (await hasDoubtful(context, action))) {
      const key = `${effect.key}#${remarks === "none" ? "plain" : remarks}`;
      posted = await submit(context, action, { effect: { ...effect, key }, update, remarks });
    }
  }
  const isUnapproved = posted.kind === "refused" && posted.error === "may_not_approve";
  return isUnapproved ? await postAsComment(context, action, update) : posted;
}

/** If all or none are doubtful, this attempt would repeat another one. */
async function hasDoubtful(context: PullContext, action: Publish): Promise<boolean> {
  const unsaid = await unsaidFindings(context, action.standing);
  const [all, sure] = [await composeRemarks(context, unsaid), await composeRemarks(context, unsaid, isSure)];
  return sure.remarks.length > 0 && sure.remarks.length < all.remarks.length;
}

/** The next tick knows that the account may not approve. A new process asks again, and must not repeat this comment. */
async function postAsComment(context: PullContext, action: Publish, update: Written): Promise<EffectOutcome> {
  const eventWhy = update.why === "request_lifted" ? "may_not_lift" : "may_not_approve";
  const key = actionKey("comment_instead", action.key);
  const comment: Publish = { ...action, key, text: `${action.text}${eventNote(eventWhy)}` };
  const said = { event: "comment", eventWhy, role: update.role, digest: update.digest } as const;
  const earlier = context.seen.records.published.findLast(({ role }) => role === update.role);
  if (update.why !== "after_comment" || earlier === undefined)
    return await post(context, comment, { ...update, ...said });
  if (earlier.digest === update.digest) return { kind: "done", result: earlier.review, wasThere: true };
  return await edit(context, comment, { kind: "edit", why: "other_body", review: earlier.review, ...said });
}

/** As often as people change their minds about one head. */
const freePostsMax = 4;
const dismissedMsMax = hourMs;

/** A person or another bot dismisses the review again and again. It is posted again less and less often. */
async function waitAfterMany(context: PullContext, { lane, head }: Effect): Promise<EffectOutcome | undefined> {
  const { clock, durations, store } = context.dependencies;
  const posts = (await store.listObligations(context.key)).flatMap((one) =>
    one.kind === "review" && one.lane === lane && one.head === head && one.state.kind === "done" ? [one.state.at] : [],
  );
  const last = posts.at(-1);
  if (last === undefined || posts.length < freePostsMax) return undefined;
  const at = after(
    last,
    backoffMs({ attempt: posts.length - freePostsMax + 1, firstMs: durations.retryMs, maxMs: dismissedMsMax }),
  );
  return clock.now() >= at ? undefined : { kind: "later", at, why: "it was posted and dismissed several times" };
}

type RemarksSaid = "all" | "sure" | "none";

const fits: Readonly<Record<Exclude<RemarksSaid, "none">, RemarkFilter>> = { all: () => true, sure: isSure };

async function submit(
  context: PullContext,
  action: Publish,
  { effect, update, remarks }: { readonly effect: Effect; readonly update: Written; readonly remarks: RemarksSaid },
): Promise<EffectOutcome> {
  const { role, head, text, standing } = action;
  return await ensureOnce(context, effect, {
    compose: async () => {
      const unsaid = await unsaidFindings(context, standing);
      const said =
        remarks === "none" ? { remarks: [], inText: unsaid } : await composeRemarks(context, unsaid, fits[remarks]);
      const body = await composeBody(context, {
        mark: { effect: effect.key },
        sentinel: { kind: "review", role, digest: update.digest },
        words: text,
        blocks: [
          ...runBlocks(context, { role, head, verdict: update.event, digest: update.digest }),
          ...said.inText.map((data) => ({ type: "review-finding" as const, data })),
        ],
      });
      const composed: ComposedReview = { body, remarks: said.remarks, inText: said.inText.map(writeFindingMark) };
      return JSON.stringify(composed);
    },
    send: (stored) => {
      const { body, remarks: inDiff } = readComposed(stored);
      return context.dependencies.forge.submitReview({
        pull: context.ref,
        head,
        event: update.event,
        body,
        remarks: inDiff,
      });
    },
  });
}

/** New remarks come in a review of their own that judges nothing. */
async function edit(
  context: PullContext,
  action: Publish,
  update: Extract<ReviewUpdate, { readonly kind: "edit" }>,
): Promise<EffectOutcome> {
  const { role, head, text } = action;
  // Waits for remarks that may be on their way: once the text lists them, they would never be sent.
  const waiting = await waitForLane(context, effectOf(action, update));
  if (waiting !== undefined) return waiting;
  const said = await sayNew(context, action, update);
  if (said.kind === "later") return said;
  const existing = context.seen.reviews.find(({ id }) => id === update.review);
  const mark = readMark(existing?.body ?? "");
  const body = await composeBody(context, {
    mark: mark === undefined ? null : { kept: mark },
    sentinel: { kind: "review", role, digest: update.digest },
    words: text,
    blocks: runBlocks(context, { role, head, verdict: update.event, digest: update.digest }),
  });
  const named = effectOf(action, update);
  return await ensureState(
    context,
    { ...named, kind: "review_edit" },
    () => context.dependencies.forge.editReview({ pull: context.ref, review: update.review, body }),
    update.review,
  );
}

async function sayNew(context: PullContext, action: Publish, update: Written): Promise<EffectOutcome> {
  const said = await sayRemarks(context, action, { update, remarks: "all" });
  if (said.kind !== "refused" || said.error !== "refused" || !(await hasDoubtful(context, action))) return said;
  return await sayRemarks(context, action, { update, remarks: "sure" });
}

async function sayRemarks(
  context: PullContext,
  action: Publish,
  { update, remarks }: { readonly update: Written; readonly remarks: keyof typeof fits },
): Promise<EffectOutcome> {
  const { role, head } = action;
  const findings = await unsaidFindings(context, action.standing);
  const composed = await composeRemarks(context, findings, fits[remarks]);
  if (composed.remarks.length === 0) return { kind: "done", result: null };
  const ids = digestOf(JSON.stringify(findings.map(({ id }) => id)));
  const key = `${actionKey("remarks", role, head, ids)}${remarks === "sure" ? "#sure" : ""}`;
  const effect: Effect = { ...effectOf(action, update), key, kind: "remarks", note: { kind: "none" } };
  return await ensureOnce(context, effect, {
    compose: async () => {
      const words = `New remarks of the ${role} review; its verdict is in the review itself.`;
      const body = await composeBody(context, { mark: { effect: key }, words, blocks: [] });
      const whole: ComposedReview = { body, remarks: composed.remarks, inText: [] };
      return JSON.stringify(whole);
    },
    send: (stored) => {
      const { body, remarks: inDiff } = readComposed(stored);
      return context.dependencies.forge.submitReview({
        pull: context.ref,
        head,
        event: "comment",
        body,
        remarks: inDiff,
      });
    },
  });
}

/** Dismissed first, then marked: the approval has to lose its force as early as possible. */
async function supersede(
  context: PullContext,
  action: Publish,
  old: { readonly review: ReviewId; readonly marksBody: boolean; readonly dismisses: boolean },
): Promise<EffectOutcome> {
  const approval: Approval = { ...action, review: old.review };
  if (old.dismisses) {
    const dismissed = await dismissApproval(context, approval, "Superseded by a newer review.");
    if (dismissed.kind === "later") return dismissed;
  }
  return old.marksBody ? await markApproval(context, approval) : { kind: "done", result: null };
}

type Approval = Pick<Publish, "role" | "head" | "key"> & { readonly review: ReviewId };

export async function dismissApproval(context: PullContext, approval: Approval, words: string): Promise<EffectOutcome> {
  const { review, key } = approval;
  return await ensureState(context, { ...withdrawal(approval), key: `${key}#dismiss`, kind: "dismissed_review" }, () =>
    context.dependencies.forge.dismissReview({ pull: context.ref, review, words }),
  );
}

export async function markApproval(context: PullContext, approval: Approval): Promise<EffectOutcome> {
  const { review, key } = approval;
  const body = supersededBody(context.seen.reviews.find(({ id }) => id === review)?.body ?? "");
  if (body === null) return { kind: "done", result: null };
  return await ensureState(context, { ...withdrawal(approval), key: `${key}#mark`, kind: "superseded_mark" }, () =>
    context.dependencies.forge.editReview({ pull: context.ref, review, body }),
  );
}

function withdrawal({ role, head, review }: Approval): Pick<Effect, "lane" | "head" | "why" | "note"> {
  const why = { askedBy: `the ${role} role`, rule: "an approval is withdrawn", inputs: [review] };
  return { lane: `review/${role}`, head, why, note: { kind: "none" } };
}

function runBlocks(
  context: PullContext,
  published: Pick<PublishedReview, "role" | "head" | "verdict" | "digest">,
): readonly BlockContent[] {
  const { role, head, verdict, digest } = published;
  const run = context.seen.records.runs.findLast(
    (one) => one.role === role && one.head === head && one.state.kind === "completed",
  );
  return run === undefined ? [] : [{ type: "review", data: { run, published: { verdict, digest } } }];
}
