import type { Instant } from "#core/model/instant.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { Model, ModelCall, ModelMessage, ModelPurpose, ModelTool, ModelTurn, TurnOutcome } from "#ports/model.ts";
import { ReviewAnswer, type SaidFinding, type SaidVerdict } from "#reviewers/model/review-answer.ts";
import { lookParts, renumberedParts, verifyParts } from "#reviewers/model/review-prompt.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";
import { wholeScore } from "#reviewers/model/weigh-finding.ts";

export interface ReviewConversation {
  readonly model: Model;
  readonly opening: readonly PromptPart[];
  /** The least that any tokenizer counts for the diff. */
  readonly diffTokensMin: number;
  readonly tools: readonly ModelTool[];
  readonly limits: ReviewLimits;
  readonly isPlaced: (finding: SaidFinding) => boolean;
  /** A batch cannot look across the repository, and goes on without a second turn that fails. */
  readonly isByBatch: boolean;
  readonly signal: AbortSignal;
  readonly onCall?: ModelTurn<unknown>["onCall"];
}

export type Conversed =
  | {
      readonly kind: "answered";
      readonly summary: string;
      readonly findings: readonly SaidFinding[];
      readonly cutFindings: readonly SaidFinding[];
      readonly verdicts: readonly SaidVerdict[];
      readonly unreadableTurns: readonly ("look" | "verify")[];
      /** By its provider's count, the model was given less than the diff. */
      readonly isCutShort: boolean;
      readonly costMicroUsd: number;
    }
  | { readonly kind: "unreadable"; readonly why: string; readonly costMicroUsd: number }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      readonly costMicroUsd: number;
    };

/**
 * Each turn repeats all before to the letter, for the cache. An unreadable second or third answer leaves the findings;
 * without the first there is nothing. A failure ends it, to be tried again as a whole.
 */
export async function runReviewConversation(conversation: ReviewConversation): Promise<Conversed> {
  const { limits, isByBatch } = conversation;
  const thread = startThread(conversation);
  const find = await thread.say("review_find", conversation.opening, limits.findToolCallsMax);
  if (find.kind !== "answered") return endedEarly(find, thread);
  const hasLook = !isByBatch && conversation.model.isWithoutTools !== true;
  const look = !hasLook ? notAsked : await thread.say("review_look", lookParts(), limits.lookToolCallsMax);
  if (look.kind === "failed") return endedEarly(look, thread);
  const said = [...find.value.findings, ...(look.kind === "answered" ? look.value.findings : [])];
  const { findings, cutFindings, renumbered } = joinFindings(said, limits.findingsMax);
  const unreadableTurns: ("look" | "verify")[] = look.kind === "answered" ? [] : ["look"];
  const common = { kind: "answered", summary: find.value.summary, cutFindings, unreadableTurns } as const;
  if (findings.length === 0) return { ...common, ...thread.ending(), findings, verdicts: [] };
  const unplaced = findings.filter((finding) => !conversation.isPlaced(finding));
  const verify = await thread.say(
    "review_verify",
    [...renumberedParts(renumbered), ...verifyParts(unplaced.slice(0, unplacedMax).map(({ id }) => id))],
    limits.verifyToolCallsMax,
  );
  if (verify.kind === "failed" && !isByBatch) return endedEarly(verify, thread);
  if (verify.kind !== "answered") unreadableTurns.push("verify");
  const { findings: again, verdicts } = verify.kind === "answered" ? verify.value : nothingSaid;
  return {
    ...common,
    findings: findings.map((finding) => (unplaced.includes(finding) ? quotedAgain(finding, again) : finding)),
    verdicts,
    ...thread.ending(),
  };
}

const unplacedMax = 20;
const notAsked = { kind: "answered", value: { summary: "", findings: [], verdicts: [] } } as const;
const nothingSaid: Pick<ReviewAnswer, "findings" | "verdicts"> = { findings: [], verdicts: [] };

type Heard = TurnOutcome<ReviewAnswer>;

function endedEarly(
  heard: Exclude<Heard, { readonly kind: "answered" }>,
  { costMicroUsd }: Pick<ReviewThread, "costMicroUsd">,
): Conversed {
  const { kind, why } = heard;
  return kind === "failed" ? { kind, why, retryAt: heard.retryAt, costMicroUsd } : { kind, why, costMicroUsd };
}

interface ReviewThread {
  say(purpose: ModelPurpose, parts: readonly PromptPart[], toolCallsMax: number): Promise<Heard>;
  costMicroUsd: number;
  ending(): { readonly costMicroUsd: number; readonly isCutShort: boolean };
}

function startThread(conversation: ReviewConversation): ReviewThread {
  const { model, tools, limits, signal, onCall } = conversation;
  const messages: ModelMessage[] = [];
  let isCutShort = false;
  const thread: ReviewThread = {
    costMicroUsd: 0,
    ending: () => ({ costMicroUsd: thread.costMicroUsd, isCutShort }),
    say: async (purpose, parts, toolCallsMax) => {
      const asked: ModelMessage = { from: "drover", parts };
      const heard = await model.converse<ReviewAnswer>({
        purpose,
        messages: [...messages, asked],
        shape: ReviewAnswer,
        tools,
        limits: { answerTokensMax: limits.answerTokensMax, toolCallsMax, timeMsMax: limits.turnMsMax },
        signal,
        onCall,
      });
      thread.costMicroUsd += heard.usage.costMicroUsd;
      isCutShort ||= isBelow(heard.usage.calls, conversation.diffTokensMin * countedShareMin);
      // What was said in vain is not repeated: the next turn builds on the last one that was understood.
      if (heard.kind === "answered") messages.push(asked, ...heard.said);
      return heard;
    },
  };
  return thread;
}

/** A margin below the least for tokenizers that nobody knows yet. */
const countedShareMin = 0.75;

/** Every request of a turn repeats the diff. A missing count is believed; what a cache served was read as well. */
function isBelow(calls: readonly ModelCall[], tokensMin: number): boolean {
  const counts = calls.map(({ tokensIn, tokensCached }) => tokensIn + tokensCached);
  const most = Math.max(0, ...counts);
  return most > 0 && most < tokensMin;
}

interface Joined {
  readonly findings: readonly SaidFinding[];
  readonly cutFindings: readonly SaidFinding[];
  readonly renumbered: readonly SaidFinding[];
}

/**
 * The worst if there are too many. A model may count from 1 again: findings that share an id get new ones, since a verdict
 * on one would drop another.
 */
function joinFindings(said: readonly SaidFinding[], findingsMax: number): Joined {
  const worstFirst = said.toSorted((left, right) => wholeScore(right.score) - wholeScore(left.score));
  const distinct = withoutEchoes(worstFirst);
  const ids = distinct.map(({ id }) => id);
  const shared = new Set(ids.toSorted((left, right) => left - right).filter((id, at, all) => id === all[at - 1]));
  let last = ids.filter(isUsableId).reduce((most, id) => Math.max(most, id), 0);
  const renumbered: SaidFinding[] = [];
  const findings = distinct.slice(0, findingsMax).map((finding) => {
    if (isUsableId(finding.id) && !shared.has(finding.id)) return finding;
    last += 1;
    const fresh = { ...finding, id: last };
    renumbered.push(fresh);
    return fresh;
  });
  return { findings, cutFindings: distinct.slice(findingsMax), renumbered };
}

function withoutEchoes(said: readonly SaidFinding[]): readonly SaidFinding[] {
  const byWords = new Map<string, SaidFinding>();
  for (const finding of said) {
    const words = JSON.stringify([finding.id, finding.rule, finding.path, finding.line, finding.code]);
    if (!byWords.has(words)) byWords.set(words, finding);
  }
  return [...byWords.values()];
}

const idsMax = 1_000_000;

function isUsableId(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id < idsMax;
}

function quotedAgain(finding: SaidFinding, again: readonly SaidFinding[]): SaidFinding {
  const better = again.find(({ id }) => id === finding.id);
  return better === undefined ? finding : { ...finding, path: better.path, line: better.line, code: better.code };
}
