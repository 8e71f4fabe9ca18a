import type { z } from "zod";
import type { Data } from "#core/model/data.ts";
import type { Instant } from "#core/model/instant.ts";
import type { JobPlace } from "#jobs/job.ts";
import { paidFor, wholeCost } from "#jobs/paid-for.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { Answerer, ModelAnswer, ModelQuestion } from "#ports/model.ts";

export type Reading<Schema extends z.ZodType> = { readonly costMicroUsd: number } & (
  | { readonly kind: "read"; readonly value: Data<Schema> }
  /** It answered, and not what it was asked for. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "failed"; readonly why: string; readonly retryAt: Instant | null }
);

interface Question<Schema extends z.ZodType> {
  readonly model: Answerer;
  readonly purpose: ModelQuestion["purpose"];
  readonly prompt: readonly PromptPart[];
  readonly schema: Schema;
}

const answerCharactersMax = 8_000;
const triesMax = 2;

/** Asks for JSON and reads it against a schema; what cannot be read is asked for once more, and never guessed at. */
export async function askModel<Schema extends z.ZodType>(
  place: JobPlace,
  { model, purpose, prompt, schema }: Question<Schema>,
): Promise<Reading<Schema>> {
  let costMicroUsd = 0;
  for (let tries = 0; tries < triesMax; tries++) {
    const answer = await askOnce(place, model, { purpose, prompt, answerCharactersMax });
    if (answer.kind === "failed") return { ...answer, costMicroUsd };
    costMicroUsd += answer.costMicroUsd;
    const read = schema.safeParse(readJson(answer.text));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same value, readonly.
    if (read.success) return { kind: "read", value: read.data as Data<Schema>, costMicroUsd };
  }
  return { kind: "unreadable", costMicroUsd };
}

/** Asks once, and counts in whole numbers what it cost. */
export async function askOnce(
  place: JobPlace,
  model: Answerer,
  question: Omit<ModelQuestion, "signal">,
): Promise<ModelAnswer> {
  const answer = await paidFor(place, "model", () => model.ask({ ...question, signal: place.signal }));
  return answer.kind === "answered" ? { ...answer, costMicroUsd: wholeCost(answer.costMicroUsd) } : answer;
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
