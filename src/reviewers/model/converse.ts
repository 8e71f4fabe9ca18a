import type { Instant } from "#core/model/instant.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { Model, ModelMessage, ModelPurpose, ModelTool, ModelTurn, TurnOutcome } from "#ports/model.ts";
import { ReviewAnswer, type SaidFinding, type SaidVerdict } from "#reviewers/model/review-answer.ts";
import { lookParts, verifyParts } from "#reviewers/model/review-prompt.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";
import { wholeScore } from "#reviewers/model/weigh-finding.ts";

export interface Conversation {
  readonly model: Model;
  /** What all turns share, then the words of the first one. */
  readonly opening: readonly PromptPart[];
  readonly tools: readonly ModelTool[];
  readonly limits: ReviewLimits;
  /** Whether the code that a finding quotes is in the diff. */
  readonly isPlaced: (finding: SaidFinding) => boolean;
  /** Nobody can look across the repository in between, and a second look that does not come back is done without. */
  readonly isByBatch: boolean;
  readonly signal: AbortSignal;
  readonly onCall?: ModelTurn<unknown>["onCall"];
}

export type Conversed =
  | {
      readonly kind: "answered";
      readonly summary: string;
      /** Of both turns, each id once. */
      readonly findings: readonly SaidFinding[];
      /** Beyond the limit. Nothing is done with them but to say so. */
      readonly cutFindings: readonly SaidFinding[];
      readonly verdicts: readonly SaidVerdict[];
      /** The turns whose answers could not be read. */
      readonly unreadableTurns: readonly ("look" | "verify")[];
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
 * One conversation about one part of a change. Each turn repeats what was said before to the letter and adds to it, so
 * that the provider's cache serves the rest. An unreadable second or third answer leaves the findings as they are, and
 * is told; without the first there is nothing. A world that fails ends it, to be tried again as a whole.
 */
export async function converse(conversation: Conversation): Promise<Conversed> {
  const { limits, isByBatch } = conversation;
  const thread = startThread(conversation);
  const find = await thread.say("review_find", conversation.opening, limits.findToolCallsMax);
  if (find.kind !== "answered") return endedEarly(find, thread);
  const look = isByBatch ? notAsked : await thread.say("review_look", lookParts(), limits.lookToolCallsMax);
  if (look.kind === "failed") return endedEarly(look, thread);
  const said = [...find.value.findings, ...(look.kind === "answered" ? look.value.findings : [])];
  const { findings, cutFindings } = joinFindings(said, limits.findingsMax);
  const unreadableTurns: ("look" | "verify")[] = look.kind === "answered" ? [] : ["look"];
  const common = { kind: "answered", summary: find.value.summary, cutFindings, unreadableTurns } as const;
  if (findings.length === 0) return { ...common, findings, verdicts: [], costMicroUsd: thread.costMicroUsd };
  const unplaced = findings.filter((finding) => !conversation.isPlaced(finding));
  const verify = await thread.say(
    "review_verify",
    verifyParts(unplaced.slice(0, unplacedMax).map(({ id }) => id)),
    limits.verifyToolCallsMax,
  );
  if (verify.kind === "failed" && !isByBatch) return endedEarly(verify, thread);
  if (verify.kind !== "answered") unreadableTurns.push("verify");
  const { findings: again, verdicts } = verify.kind === "answered" ? verify.value : nothingSaid;
  return {
    ...common,
    findings: findings.map((finding) => (unplaced.includes(finding) ? quotedAgain(finding, again) : finding)),
    verdicts,
    costMicroUsd: thread.costMicroUsd,
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
}

function startThread({ model, tools, limits, signal, onCall }: Conversation): ReviewThread {
  const messages: ModelMessage[] = [];
  const thread: ReviewThread = {
    costMicroUsd: 0,
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
      // What was said in vain is not repeated: the next turn builds on the last one that was understood.
      if (heard.kind === "answered") messages.push(asked, ...heard.said);
      return heard;
    },
  };
  return thread;
}

/**
 * The findings of both turns, the worst of them where there are too many. A model that counts from 1 again means other
 * findings, so those get ids that nobody has.
 */
function joinFindings(
  said: readonly SaidFinding[],
  findingsMax: number,
): { readonly findings: readonly SaidFinding[]; readonly cutFindings: readonly SaidFinding[] } {
  const worstFirst = said.toSorted((left, right) => wholeScore(right.score) - wholeScore(left.score));
  const taken = new Set<number>();
  const findings = worstFirst.slice(0, findingsMax).map((finding) => {
    const id = isUsableId(finding.id) && !taken.has(finding.id) ? finding.id : idsMax + taken.size;
    taken.add(id);
    return id === finding.id ? finding : { ...finding, id };
  });
  return { findings, cutFindings: worstFirst.slice(findingsMax) };
}

/** Beyond it are the ids that we give. */
const idsMax = 1_000_000;

function isUsableId(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id < idsMax;
}

/** Only the place may change in the last turn: what a finding says, and how bad it is, was said before. */
function quotedAgain(finding: SaidFinding, again: readonly SaidFinding[]): SaidFinding {
  const better = again.find(({ id }) => id === finding.id);
  return better === undefined ? finding : { ...finding, path: better.path, line: better.line, code: better.code };
}
