import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { Instant } from "#core/model/instant.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { findStep, readStep, type Step } from "#jobs/remember-step.ts";
import type { BatchAnswer, BatchHandle } from "#ports/batches.ts";
import type { ModelCall } from "#ports/model.ts";

/** Recorded before a submission, after it and with the answers, so that another worker can continue. */

const purposes = ["classify", "answer", "dispute", "review_find", "review_look", "review_verify"] as const;
const outcomes = [
  "answered",
  "cut",
  "refused",
  "tools",
  "unreadable",
  "rate_limited",
  "unavailable",
  "timed_out",
  "rejected",
  "aborted",
] as const;

const Intent = z.strictObject({
  token: z.string().min(1),
  at: Instant,
  model: z.string().nullable(),
  requests: z.array(z.strictObject({ id: z.string().min(1), purpose: z.enum(purposes) })).min(1),
});
export type BatchIntent = Data<typeof Intent>;

const Handle = z.strictObject({ id: z.string().min(1), model: z.string().min(1) });

const Arrival = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("submitted"), handle: Handle }),
  z.strictObject({
    kind: z.literal("refused"),
    why: z.string(),
    isPassing: z.boolean(),
    retryAt: Instant.nullable(),
  }),
]);
export type BatchArrival = Data<typeof Arrival>;

const count = z.number().int().nonnegative();
const Call = z.strictObject({
  id: z.string().optional(),
  delivery: z.enum(["now", "batch"]).optional(),
  model: z.string(),
  tokensIn: count,
  tokensCached: count,
  tokensOut: count,
  costMicroUsd: z.number().nonnegative(),
  isPriced: z.boolean(),
  ms: z.number().nonnegative(),
  outcome: z.enum(outcomes),
});
const answer = { id: z.string().min(1), call: Call };

const Results = z.strictObject({
  failure: z.string().nullable(),
  answers: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({ ...answer, kind: z.literal("answered"), value: z.unknown(), text: z.string() }),
      z.strictObject({ ...answer, kind: z.literal("unreadable"), why: z.string() }),
      z.strictObject({ ...answer, kind: z.literal("unanswered"), why: z.enum(["failed", "expired", "cancelled"]) }),
    ]),
  ),
});

/** For a test that notices when the stored shape changes. */
export const batchShapes = { Intent, Arrival, Results, Handle };

export interface BatchResults {
  readonly failure: string | null;
  readonly answers: readonly BatchAnswer[];
}

export interface SubmissionRecord {
  readonly number: number;
  readonly intent: BatchIntent;
  readonly arrival: BatchArrival | undefined;
  /** True also shortly before Drover tells the provider to stop. */
  readonly isCancelled: boolean;
  readonly results: BatchResults | undefined;
}

/** More submissions than this for one review are a bug, or a provider that is not worth it. */
export const submissionsMax = 12;

export async function readSubmissions(context: JobContext): Promise<readonly SubmissionRecord[]> {
  const entries: SubmissionRecord[] = [];
  for (let number = 1; number <= submissionsMax; number++) {
    const intent = await findStep(context, { name: stepName(number, "intent"), schema: Intent });
    if (intent === undefined) break;
    const arrival = await findStep(context, { name: stepName(number, "arrival"), schema: Arrival });
    const cancelled = await findStep(context, { name: stepName(number, "cancelled"), schema: z.literal(true) });
    const results = await findStep(context, { name: stepName(number, "results"), schema: Results });
    entries.push({ number, intent, arrival, isCancelled: cancelled === true, results });
  }
  return entries;
}

/** A call's id identifies repetitions: after a crash calls are reported again. */
export function callsOf(submissions: readonly SubmissionRecord[]): readonly ModelCall[] {
  return submissions.flatMap(({ intent, results }) => {
    const purposeOf = new Map(intent.requests.map(({ id, purpose }) => [id, purpose]));
    return (results?.answers ?? []).flatMap(({ id, call }) => {
      const purpose = purposeOf.get(id);
      return purpose === undefined || call.id === undefined ? [] : [{ ...call, purpose }];
    });
  });
}

export async function hasBatch(context: JobContext): Promise<boolean> {
  return (await findStep(context, { name: stepName(1, "intent"), schema: Intent })) !== undefined;
}

/** Recorded even after another worker took the job, because the provider has it. The first record counts. */
export async function noteIntent(context: JobContext, number: number, intent: BatchIntent): Promise<BatchIntent> {
  return await note(context, { name: stepName(number, "intent"), schema: Intent }, intent);
}

export async function noteArrival(context: JobContext, number: number, arrival: BatchArrival): Promise<BatchArrival> {
  return await note(context, { name: stepName(number, "arrival"), schema: Arrival }, arrival);
}

export async function noteCancelled(context: JobContext, number: number): Promise<void> {
  await note(context, { name: stepName(number, "cancelled"), schema: z.literal(true) }, true);
}

export async function noteResults(context: JobContext, number: number, results: BatchResults): Promise<BatchResults> {
  return await note(context, { name: stepName(number, "results"), schema: Results }, results);
}

export async function noteSurplus(context: JobContext, number: number, handle: BatchHandle): Promise<void> {
  const { id, model } = handle;
  await note(context, { name: stepName(number, "surplus"), schema: Handle }, { id, model });
}

export async function readSurplus(context: JobContext, last: number): Promise<readonly BatchHandle[]> {
  const found: BatchHandle[] = [];
  for (let number = 1; number <= last; number++) {
    const handle = await findStep(context, { name: stepName(number, "surplus"), schema: Handle });
    if (handle !== undefined) found.push(handle);
  }
  return found;
}

function stepName(number: number, part: "intent" | "arrival" | "cancelled" | "results" | "surplus"): string {
  return `batch ${number} ${part}`;
}

async function note<Schema extends z.ZodType>(
  { dependencies, key }: JobContext,
  step: Step<Schema>,
  value: unknown,
): Promise<Data<Schema>> {
  return readStep(step, await dependencies.store.saveStep({ job: key, step: step.name }, value));
}
