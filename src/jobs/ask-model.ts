import type { z } from "zod";
import type { Turn } from "#act/turn.ts";
import type { Refusal } from "#core/budget/choose-offer.ts";
import type { Data } from "#core/model/data.ts";
import type { Instant } from "#core/model/instant.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { JobPlace } from "#jobs/job.ts";
import { failuresOf } from "#jobs/job-turn.ts";
import { paidFor, wholeCost } from "#jobs/paid-for.ts";
import { openPurse, type Purse } from "#jobs/purse.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { Answerer, ModelAnswer, ModelQuestion } from "#ports/model.ts";

/** What came of a question, and what it has cost: attempts that died on the way included. */
export type Asked =
  | { readonly kind: "answered"; readonly text: string; readonly costMicroUsd: number }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      readonly costMicroUsd: number;
    }
  /** It would cost more than may be spent, so nobody was asked. */
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly costMicroUsd: number };

export type Reading<Schema extends z.ZodType> =
  | { readonly kind: "read"; readonly value: Data<Schema>; readonly costMicroUsd: number }
  /** It answered, and not what it was asked for. */
  | { readonly kind: "unreadable"; readonly costMicroUsd: number }
  | Exclude<Asked, { readonly kind: "answered" }>;

interface Question {
  readonly model: Answerer;
  /** Of the job, for which it is asked. */
  readonly step: string;
  readonly purpose: ModelQuestion["purpose"];
  readonly prompt: readonly PromptPart[];
}

const jsonCharactersMax = 8_000;
const triesMax = 2;

/** Asks for JSON and reads it against a schema; what cannot be read is asked for once more, and never guessed at. */
export async function askModel<Schema extends z.ZodType>(
  place: JobPlace,
  turn: Turn,
  { schema, ...question }: Question & { readonly schema: Schema },
): Promise<Reading<Schema>> {
  return await withPurse(place, turn, question, async (purse): Promise<Reading<Schema>> => {
    let costMicroUsd = 0;
    for (let tries = 0; tries < triesMax; tries++) {
      const asked = await ask(place, purse, { ...question, answerCharactersMax: jsonCharactersMax });
      costMicroUsd += asked.costMicroUsd;
      if (asked.kind !== "answered") return { ...asked, costMicroUsd };
      const read = schema.safeParse(readJson(asked.text));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same value, readonly.
      if (read.success) return { kind: "read", value: read.data as Data<Schema>, costMicroUsd };
    }
    return { kind: "unreadable", costMicroUsd };
  });
}

/** Asks once, for words. */
export async function askOnce(
  place: JobPlace,
  turn: Turn,
  question: Question & Pick<ModelQuestion, "answerCharactersMax">,
): Promise<Asked> {
  return await withPurse(place, turn, question, async (purse) => await ask(place, purse, question));
}

/** Each time that a step is tried it counts anew: what it cost before is in the records already. */
async function withPurse<Outcome extends { readonly costMicroUsd: number }>(
  place: JobPlace,
  { ref, seen }: Turn,
  { step }: Pick<Question, "step">,
  use: (purse: Purse) => Promise<Outcome>,
): Promise<Outcome> {
  const name = `purse of ${step} ${await failuresOf(place, step)}`;
  const purse = await openPurse(place, { pull: ref, head: seen.pull.head.sha, role: null, name });
  const outcome = await use(purse);
  return { ...outcome, costMicroUsd: Math.max(outcome.costMicroUsd, await purse.settle()) };
}

async function ask(
  place: JobPlace,
  purse: Purse,
  { model, purpose, prompt, answerCharactersMax }: Question & Pick<ModelQuestion, "answerCharactersMax">,
): Promise<Asked> {
  const expected = { fresh: promptTokens(prompt), cached: 0, out: answerTokens };
  const choice = await purse.choose([{ costMicroUsd: model.estimate?.(expected, "now") ?? null, delivery: "now" }]);
  if (choice.kind === "refused") return { kind: "refused", refusal: choice, costMicroUsd: 0 };
  const { signal } = place;
  const question = { purpose, prompt, answerCharactersMax, signal, onCall: purse.onCall };
  const answer: ModelAnswer = await paidFor(place, "model", () => model.ask(question));
  return { ...answer, costMicroUsd: wholeCost(answer.costMicroUsd ?? 0) };
}

/** About what a short answer takes, with the thinking before it. */
const answerTokens = 4_000;

function promptTokens(prompt: readonly PromptPart[]): number {
  return prompt.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/** Models like to put JSON into a block. Anything else around it makes it unreadable. */
function readJson(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^```(?:json)?\s*\n/i, "")
    .replace(/\n\s*```$/, "");
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}
