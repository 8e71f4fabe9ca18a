import { z } from "zod";
import { parseInstant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import {
  type BatchApi,
  type BatchClient,
  type BatchReader,
  batchPath,
  clockSlackMs,
  findInPages,
  handOverMsMax,
  refusedFor,
  submittedAs,
  tooLarge,
  unavailableProgress,
  unreadableResults,
} from "#models/batch-client.ts";
import { batchOptions } from "#models/batch-options.ts";
import { readJsonLines } from "#models/json-lines.ts";
import { type ResultReader, readResult, unansweredBatchItem } from "#models/read-batch-result.ts";
import { wireBodyOf } from "#models/wire-body.ts";
import type { BatchAnswer, BatchProgress, BatchQuery, BatchSubmission, FoundBatch, Submitted } from "#ports/batches.ts";

const count = z.number().catch(0);

const AnthropicBatch = z.object({
  id: z.string().min(1),
  processing_status: z.string(),
  created_at: z.string(),
  cancel_initiated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
  request_counts: z.object({ processing: count, succeeded: count, errored: count, canceled: count, expired: count }),
});
type AnthropicBatch = z.infer<typeof AnthropicBatch>;

const AnthropicLine = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion("type", [
    z.object({ type: z.literal("succeeded"), message: z.unknown() }),
    z.object({ type: z.literal("errored") }),
    z.object({ type: z.literal("canceled") }),
    z.object({ type: z.literal("expired") }),
  ]),
});
type AnthropicLine = z.infer<typeof AnthropicLine>;

/** As it documents it. */
const sizeMax = { requests: 100_000, bytes: 256_000_000 };

/** Batches carry nothing of ours but request ids, so each holds the token. Only results show which submission it was. */
export const anthropicBatchApi: BatchApi<AnthropicBatch> = {
  root: "/messages/batches",
  cursor: "after_id",
  Batch: AnthropicBatch,
  headersOf: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  submit,
  find,
  progressOf,
  forget: async ({ transport }, handle, signal) => {
    await transport.write({ method: "DELETE", path: batchPath(anthropicBatchApi, handle), body: null }, signal);
  },
};

/** Neither the token nor an id has one. */
const mark = "_";

async function submit(
  { context, model, transport }: BatchClient,
  { token, requests, until, signal }: BatchSubmission,
): Promise<Submitted> {
  const betas = new Set<string>();
  const made: unknown[] = [];
  for (const request of requests) {
    const wire = await wireBodyOf(model, batchOptions(context, model, request));
    for (const beta of wire.betas) betas.add(beta);
    made.push({ custom_id: `${token}${mark}${request.id}`, params: wire.body });
  }
  const body = JSON.stringify({ requests: made });
  const bytes = new TextEncoder().encode(body).length;
  const large = tooLarge({ requests: requests.length, bytes }, sizeMax);
  if (large !== null) return refusedFor(`${model.name}: ${large}`);
  const headers = betas.size === 0 ? {} : { "anthropic-beta": [...betas].join(",") };
  const handOver = { method: "POST", timeMsMax: handOverMsMax, until } as const;
  const reply = await transport.write({ ...handOver, path: anthropicBatchApi.root, body, headers }, signal);
  return submittedAs(model, reply, AnthropicBatch);
}

/** Looks only into those that fit by time and size. */
async function find(client: BatchClient, wanted: BatchQuery, signal: AbortSignal): Promise<FoundBatch> {
  let undecided = 0;
  const found = await findInPages(client, anthropicBatchApi, {
    signal,
    findIn: async (page) => {
      for (const batch of page.filter((one) => isCandidate(one, wanted))) {
        const looked = await isMine(client, batch, { token: wanted.token, signal });
        if (looked === "yes") return batch;
        if (looked === "unknown") undecided += 1;
      }
      return undefined;
    },
    isTooOld: (batch) => isOlder(batch, wanted),
  });
  if (found.kind !== "none" || undecided === 0) return found;
  const why = `${client.model.name} works on ${undecided} of the same age and size, one of which may be it`;
  return { kind: "cannot_tell", why };
}

function isOlder({ created_at }: AnthropicBatch, { since }: BatchQuery): boolean {
  const at = parseInstant(created_at);
  return at !== undefined && at < since - clockSlackMs;
}

function isCandidate(batch: AnthropicBatch, { since, until, requests }: BatchQuery): boolean {
  const { processing, succeeded, errored, canceled, expired } = batch.request_counts;
  const isSize = processing + succeeded + errored + canceled + expired === requests;
  const at = parseInstant(batch.created_at);
  return isSize && (at === undefined || (at >= since - clockSlackMs && at <= until + clockSlackMs));
}

async function isMine(
  { transport }: BatchClient,
  batch: AnthropicBatch,
  { token, signal }: { readonly token: string; readonly signal: AbortSignal },
): Promise<"yes" | "no" | "unknown"> {
  if (batch.processing_status !== "ended") return "unknown";
  const reply = await transport.read(`${batchPath(anthropicBatchApi, batch)}/results`, signal);
  if (reply.kind === "refused" && reply.status === 404) return "no";
  if (reply.kind !== "ok") return "unknown";
  const lines = readJsonLines(reply.text, AnthropicLine);
  if (lines === undefined) return "unknown";
  return lines.some(({ custom_id }) => custom_id.startsWith(`${token}${mark}`)) ? "yes" : "no";
}

async function progressOf(reader: BatchReader, batch: AnthropicBatch): Promise<BatchProgress> {
  const { model, transport, handle, signal } = reader;
  if (batch.processing_status !== "ended") return { kind: "running" };
  // The results' address in the answer is not followed: the key would go along.
  const results = await transport.read(`${batchPath(anthropicBatchApi, handle)}/results`, signal);
  if (results.kind !== "ok") return unavailableProgress(results, model);
  const lines = readJsonLines(results.text, AnthropicLine);
  if (lines === undefined) return unreadableResults(model);
  const answers: BatchAnswer[] = [];
  for (const line of lines) answers.push(await readLine(reader, line));
  const isCancelled = (batch.cancel_initiated_at ?? null) !== null;
  return { kind: "ended", how: isCancelled ? "cancelled" : "completed", answers };
}

async function readLine(reader: ResultReader, { custom_id, result }: AnthropicLine): Promise<BatchAnswer> {
  const id = custom_id.slice(custom_id.indexOf(mark) + 1);
  switch (result.type) {
    case "succeeded":
      return await readResult(reader, id, { status: 200, body: result.message });
    case "errored":
      return unansweredBatchItem(reader, id, "failed");
    case "canceled":
      return unansweredBatchItem(reader, id, "cancelled");
    case "expired":
      return unansweredBatchItem(reader, id, "expired");
    default:
      return never(result);
  }
}
