import type { RawFinding } from "#core/model/finding.ts";
import type { Coverage } from "#core/model/records.ts";
import { detectInjection } from "#core/prompt/detect-injection.ts";
import type { PackedCall } from "#core/prompt/pack-diff.ts";
import { fewestTokens } from "#core/prompt/token-estimate.ts";
import { asConfigured } from "#core/review/offer-terms.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import { modelSummary } from "#core/words/pass-summary.ts";
import { passWords } from "#core/words/pass-words.ts";
import type { ChangeView } from "#ports/change-view.ts";
import type { Model, ModelTool } from "#ports/model.ts";
import type { BatchedReviewer, Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { boundTools } from "#reviewers/model/bounded-tools.ts";
import { bareBrief } from "#reviewers/model/built-in-briefs.ts";
import { fitWindow } from "#reviewers/model/fit-window.ts";
import { type Flagged, flagInjection } from "#reviewers/model/flag-injection.ts";
import { locateFinding } from "#reviewers/model/locate-finding.ts";
import { limitsOf, lookCost, makeOffers, modelNameFor } from "#reviewers/model/offers.ts";
import { type Raised, raiseModelFindings, withoutRepeats } from "#reviewers/model/raise-findings.ts";
import { partsOf, type RenderedChange, renderChange } from "#reviewers/model/render-change.ts";
import { type Replay, startReplay } from "#reviewers/model/replay.ts";
import { repositoryTools, type ToolTrouble } from "#reviewers/model/repository-tools.ts";
import { ReviewAnswer, type SaidFinding } from "#reviewers/model/review-answer.ts";
import { type Conversed, runReviewConversation } from "#reviewers/model/review-conversation.ts";
import { batchParts, findParts, reviewPromptVersion } from "#reviewers/model/review-prompt.ts";
import type { ReviewLimits, ReviewSettings } from "#reviewers/model/review-settings.ts";

/** Three turns per part of the change. What the model says is located, weighed and bounded here; nothing of it acts. */
export function modelReviewer(settings: ReviewSettings): Reviewer {
  return {
    review: (job) => reviewByModel(settings, job, null),
    offers: (job) => makeOffers(settings, job),
    batched: batchedReviewer({
      settings,
      modelFor: (job) => modelNameFor(settings, job),
      review: (job, replay) => reviewByModel(settings, job, replay),
    }),
  };
}

interface Review {
  readonly job: ReviewJob;
  readonly model: Model;
  readonly replay: Replay | null;
  readonly limits: ReviewLimits;
  readonly brief: RoleBrief;
  readonly change: RenderedChange;
  readonly flagged: Flagged;
  readonly notes: string[];
  readonly unread: Map<string, Coverage["unread"][number]["why"]>;
  isSwayed: boolean;
  costMicroUsd: number;
}

async function reviewByModel(settings: ReviewSettings, job: ReviewJob, replay: Replay | null): Promise<ReviewOutcome> {
  const { brief = bareBrief } = job;
  const name = modelNameFor(settings, job);
  const model = settings.modelOf(name);
  if (model === null) return failed(passWords.noModel(name), 0);
  const limits = fitWindow(limitsOf(settings, job), model);
  const showed = await renderChange(job, { model, limits, isRepeated: replay === null });
  if (showed.kind === "unreadable") return showed;
  if (showed.kind === "failed") return failed(showed.why, 0);
  const { change } = showed;
  const { packed, shown } = change;
  // The results of a batch may be read several times, without asking about it again.
  const verifier = replay === null && brief.injection?.verifier ? settings.modelOf(brief.injection.verifier) : null;
  const flagged = await flagInjection(job, shown, { brief, verifier });
  const review: Review = {
    job,
    model,
    replay,
    limits,
    brief,
    change,
    flagged,
    notes: [...(replay === null ? [] : [passWords.byBatch]), ...offerNotes(job), ...change.notes, ...flagged.notes],
    unread: new Map(packed.unread.map(({ path, why }) => [path, why])),
    isSwayed: flagged.isSwayed,
    costMicroUsd: flagged.costMicroUsd,
  };
  return await talk(review);
}

/** A batch is worth no words where it was asked for. */
function offerNotes({ offer = asConfigured, brief = bareBrief }: ReviewJob): readonly string[] {
  return passWords.withinBudget({ ...offer, isBatch: offer.isBatch && brief.delivery !== "batch" });
}

function failed(why: string, costMicroUsd: number): ReviewOutcome {
  return { kind: "failed", why, retryAt: null, costMicroUsd };
}

/** In turn. A part without an answer is asked once more if others are paid for: a new review would pay for those again. */
async function talk(review: Review): Promise<ReviewOutcome> {
  const { job } = review;
  const heard: HeardParts = { raised: [], said: [], unreadable: null, unanswered: null };
  const parts = review.change.packed.calls.map((call): Part => ({ call, isSecondTry: false }));
  for (const [index, part] of parts.entries()) {
    if (job.signal.aborted) return cancelled(review);
    const rest = parts.slice(index).map(({ call }) => call);
    if (index > 0 && !(await mayGoOn(review, rest))) break;
    const trouble: ToolTrouble = { why: null };
    const conversed = await converseAbout(review, part.call, trouble);
    review.costMicroUsd += conversed.costMicroUsd;
    const { costMicroUsd } = review;
    if (trouble.why !== null) return failed(trouble.why, costMicroUsd);
    if (conversed.kind === "failed" && review.replay === null) {
      if (job.signal.aborted) return cancelled(review);
      if (heard.raised.length === 0) return { ...conversed, costMicroUsd };
      // The array is walked as it grows.
      if (!part.isSecondTry) parts.push({ ...part, isSecondTry: true });
      if (!part.isSecondTry) continue;
    }
    hearPart(review, heard, { call: part.call, conversed });
  }
  return conclude(review, heard);
}

interface Part {
  readonly call: PackedCall;
  readonly isSecondTry: boolean;
}

interface HeardParts {
  readonly raised: Raised[];
  readonly said: string[];
  unreadable: string | null;
  unanswered: string | null;
}

function cancelled({ costMicroUsd }: Review): ReviewOutcome {
  return failed(passWords.cancelled, costMicroUsd);
}

function hearPart(
  review: Review,
  heard: HeardParts,
  { call, conversed }: { readonly call: PackedCall; readonly conversed: Conversed },
): void {
  if (conversed.kind === "answered") {
    heard.raised.push(raise(review, conversed));
    heard.said.push(conversed.summary);
    if (conversed.isCutShort) mistrust(review, call);
    return;
  }
  leaveUnread(review, call.paths, "unreadable");
  if (conversed.kind === "failed") {
    heard.unanswered = conversed.why;
    review.notes.push(passWords.noAnswer(call.paths.length));
  } else {
    heard.unreadable = conversed.why;
    review.notes.push(passWords.unreadableAnswer(call.paths.length));
  }
}

function conclude(review: Review, { raised, said, unreadable, unanswered }: HeardParts): ReviewOutcome {
  if (unanswered !== null && raised.length === 0 && unreadable === null) return failed(unanswered, review.costMicroUsd);
  if (unreadable !== null && raised.length === 0) {
    return { kind: "unreadable", why: unreadable, costMicroUsd: review.costMicroUsd };
  }
  return completed(review, raised, said);
}

/** A provider that counted fewer tokens than there were words has not read them all. */
function mistrust(review: Review, call: PackedCall): void {
  leaveUnread(review, call.paths, "size");
  review.notes.push(passWords.windowTooSmall(call.paths.length));
}

/** The cost of tools and retries cannot be known before: the reservation may be used up by now. */
async function mayGoOn(review: Review, rest: readonly PackedCall[]): Promise<boolean> {
  const { job, model, limits } = review;
  if (job.mayGoOn === undefined) return true;
  if (await job.mayGoOn(lookCost(model, rest, { limits, delivery: "now" }))) return true;
  const paths = new Set(rest.flatMap((call) => call.paths));
  leaveUnread(review, [...paths], "budget");
  review.notes.push(passWords.budgetUsedUp(paths.size));
  return false;
}

async function converseAbout(review: Review, call: PackedCall, trouble: ToolTrouble): Promise<Conversed> {
  const { job, model, replay, limits, brief, change } = review;
  return await runReviewConversation({
    model: replay?.modelFor(job.role, call) ?? model,
    diffTokensMin: fewestTokens(call.text),
    opening: [
      ...partsOf(change, call),
      ...findParts(job.role, brief, call.paths),
      ...(replay === null && model.isWithoutTools !== true ? [] : batchParts),
    ],
    tools: replay === null ? toolsOf(review, trouble) : [],
    isByBatch: replay !== null,
    limits,
    isPlaced: (finding: SaidFinding) => locateFinding(change.shown, finding) !== null,
    signal: job.signal,
    onCall: job.onCall,
  });
}

function toolsOf(review: Review, trouble: ToolTrouble): readonly ModelTool[] {
  const { job, brief, limits } = review;
  const view = brief.injection === null ? job : watchHistoryForInjection(job, () => hearOrders(review));
  return boundTools(repositoryTools(view, trouble), limits.lookedTokensMax);
}

function hearOrders(review: Review): void {
  if (!review.isSwayed) review.notes.push(passWords.ordersInCommits);
  review.isSwayed = true;
}

function raise(review: Review, conversed: Extract<Conversed, { readonly kind: "answered" }>): Raised {
  const { findings, verdicts, cutFindings, unreadableTurns } = conversed;
  const { role } = review.job;
  if (cutFindings.length > 0) {
    // A known finding that is merely over the limit would else be taken for fixed.
    leaveUnread(review, placesOf(review, cutFindings), "size");
    review.notes.push(passWords.findingsCut(cutFindings.length));
  }
  for (const turn of unreadableTurns) review.notes.push(passWords.unreadableTurn[turn]);
  return raiseModelFindings(review.change.shown, { role, problemScore: review.brief.problemScore, findings, verdicts });
}

const placesMax = 200;

function placesOf({ change }: Review, findings: readonly SaidFinding[]): readonly string[] {
  return findings.slice(0, placesMax).flatMap((finding) => locateFinding(change.shown, finding)?.path ?? []);
}

function leaveUnread(review: Review, paths: readonly string[], why: "unreadable" | "size" | "budget"): void {
  for (const path of paths) if (!review.unread.has(path)) review.unread.set(path, why);
}

function completed(review: Review, raised: readonly Raised[], said: readonly string[]): ReviewOutcome {
  const { change, unread, notes, costMicroUsd } = review;
  const findings: readonly RawFinding[] = withoutRepeats([
    ...review.flagged.findings,
    ...raised.flatMap((one) => one.findings),
  ]);
  const filesRead = change.packed.read.filter((path) => !unread.has(path)).length;
  const sum = (key: "dropped" | "belowThreshold" | "unverified"): number =>
    raised.reduce((total, one) => total + one[key], 0);
  return {
    kind: "completed",
    findings,
    coverage: {
      filesRead,
      unread: Array.from(unread, ([path, why]) => ({ path, why })),
      ...(review.isSwayed && { isSwayed: true }),
    },
    summary: modelSummary({
      said,
      filesRead,
      findings: findings.length,
      dropped: sum("dropped"),
      belowThreshold: sum("belowThreshold"),
      unverified: sum("unverified"),
      unplaced: raised.flatMap((one) => one.unplaced),
      notes,
      version: reviewPromptVersion,
    }),
    costMicroUsd,
  };
}

/** Only a tool sees the messages of the change's own commits. */
function watchHistoryForInjection(view: ChangeView, onOrders: () => void): ChangeView {
  const { repository } = view;
  if (repository === undefined) return view;
  return {
    ...view,
    repository: {
      ...repository,
      history: async (path) => {
        const entries = await repository.history(path);
        const said = entries.flatMap(({ author, subject }) => [author, subject]);
        if (said.some((text) => detectInjection(text).places.length > 0)) onOrders();
        return entries;
      },
    },
  };
}

interface BatchedReviewerOptions {
  readonly settings: ReviewSettings;
  readonly modelFor: (job: ReviewJob) => string | null;
  readonly review: (job: ReviewJob, replay: Replay) => Promise<ReviewOutcome>;
}

/** Replays the live review with the answers so far: what it would ask next is what the batch asks. */
function batchedReviewer({ settings, modelFor, review }: BatchedReviewerOptions): BatchedReviewer {
  return {
    shape: ReviewAnswer,
    modelFor,
    batchesOf: (model) => settings.modelOf(model)?.batches ?? null,
    next: async (job, answers) => {
      const replay = startReplay(answers);
      const outcome = await review(job, replay);
      return replay.unasked.length > 0 ? { kind: "ask", requests: replay.unasked } : { kind: "done", outcome };
    },
  };
}
