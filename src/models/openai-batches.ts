import { z } from "zod";
import { after, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { plainLine } from "#core/words/plain-text.ts";
import {
  type BatchApi,
  type BatchClient,
  type BatchReader,
  batchPath,
  clockSlackMs,
  findInPages,
  handOverMsMax,
  refusedFor,
  refusedSubmission,
  submittedAs,
  tooLarge,
  unreadableResults,
} from "#models/batch-client.ts";
import { batchOptions } from "#models/batch-options.ts";
import type { BatchTransport } from "#models/batch-transport.ts";
import { parseJson, readJsonLines } from "#models/json-lines.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { type ResultReader, readResult, unansweredBatchItem } from "#models/read-batch-result.ts";
import { wireBodyOf } from "#models/wire-body.ts";
import type {
  BatchAnswer,
  BatchEnding,
  BatchHandle,
  BatchProgress,
  BatchQuery,
  BatchSubmission,
  FoundBatch,
  Submitted,
} from "#ports/batches.ts";

const OpenaiFile = z.object({ id: z.string().min(1) });

const NamedFile = z.string().min(1).nullish();

const OpenaiBatch = z.object({
  id: z.string().min(1),
  status: z.string(),
  /** Seconds. */
  created_at: z.number(),
  completed_at: z.number().nullish(),
  input_file_id: NamedFile,
  output_file_id: NamedFile,
  error_file_id: NamedFile,
  request_counts: z.object({ completed: z.number() }).nullish().catch(null),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  errors: z
    .object({ data: z.array(z.object({ message: z.string().nullish() })).nullish() })
    .nullish()
    .catch(null),
});
type OpenaiBatch = z.infer<typeof OpenaiBatch>;

const OpenaiLine = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number().int().min(100).max(599), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish() }).nullish().catch(null),
});
type OpenaiLine = z.infer<typeof OpenaiLine>;

/** As it documents it. */
const sizeMax = { requests: 50_000, bytes: 200_000_000 };

/** A file of requests, and files of answers. The token is in the batch's metadata. */
export const openaiBatchApi: BatchApi<OpenaiBatch> = {
  root: "/batches",
  cursor: "after",
  Batch: OpenaiBatch,
  headersOf: (key) => ({ authorization: `Bearer ${key}` }),
  submit,
  find,
  progressOf,
  forget,
};

const endpoint = "/v1/responses";
const tokenField = "drover_token";

/** First the file, which does nothing until a batch names it; then the batch, once. */
async function submit(
  { context, model, transport }: BatchClient,
  { token, requests, until, signal }: BatchSubmission,
): Promise<Submitted> {
  const lines: string[] = [];
  for (const request of requests) {
    const { body } = await wireBodyOf(model, batchOptions(context, model, request));
    lines.push(JSON.stringify({ custom_id: request.id, method: "POST", url: endpoint, body }));
  }
  const file = new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" });
  const large = tooLarge({ requests: requests.length, bytes: file.size }, sizeMax);
  if (large !== null) return refusedFor(`${model.name}: ${large}`);
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", file, `drover-${token}.jsonl`);
  const handOver = { method: "POST", timeMsMax: handOverMsMax, until } as const;
  const uploaded = await transport.write({ ...handOver, path: "/files", body: form }, signal);
  if (uploaded.kind !== "ok") return refusedSubmission(uploaded.failure);
  const fileId = OpenaiFile.safeParse(parseJson(uploaded.text)).data?.id;
  if (fileId === undefined) return refusedFor(`${model.name} took the file in words that cannot be read`);
  const body = JSON.stringify({
    input_file_id: fileId,
    endpoint,
    completion_window: "24h",
    metadata: { [tokenField]: token },
  });
  const made = await transport.write({ ...handOver, path: "/batches", body }, signal);
  // The file would never be read again, and it has the change in it.
  if (made.kind === "refused") await deleteFile(transport, fileId, signal);
  return submittedAs(model, made, OpenaiBatch);
}

function find(client: BatchClient, { token, since }: BatchQuery, signal: AbortSignal): Promise<FoundBatch> {
  const oldest = (since - clockSlackMs) / secondMs;
  return findInPages(client, openaiBatchApi, {
    signal,
    findIn: (page) => page.findLast(({ metadata }) => metadata?.[tokenField] === token),
    isTooOld: (batch) => batch.created_at < oldest,
  });
}

async function progressOf(reader: BatchReader, batch: OpenaiBatch): Promise<BatchProgress> {
  if (batch.status === "failed") return { kind: "failed", why: failureWords(reader.model, batch) };
  const how = endings.get(batch.status);
  if (how === undefined || isOutputToCome(reader.context, batch)) return { kind: "running" };
  return await readEnded(reader, batch, how);
}

const endings: ReadonlyMap<string, BatchEnding> = new Map([
  ["completed", "completed"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
]);

/** Batches were completed minutes before their output was there, and some never had any. */
const outputMsMax = 10 * minuteMs;

function isOutputToCome({ clock }: ModelCallContext, batch: OpenaiBatch): boolean {
  const isMissing = (batch.request_counts?.completed ?? 0) > 0 && (batch.output_file_id ?? null) === null;
  const endedAt = instant((batch.completed_at ?? batch.created_at) * secondMs);
  return batch.status === "completed" && isMissing && clock.now() < after(endedAt, outputMsMax);
}

async function readEnded(reader: BatchReader, batch: OpenaiBatch, how: BatchEnding): Promise<BatchProgress> {
  const { model, transport, signal } = reader;
  const answers = new Map<string, BatchAnswer>();
  for (const file of [batch.error_file_id, batch.output_file_id]) {
    if (file === null || file === undefined) continue;
    const reply = await transport.read(`/files/${encodeURIComponent(file)}/content`, signal);
    // A missing file has nothing to say; an unavailable one may have.
    if (reply.kind === "refused" && reply.status === 404) continue;
    if (reply.kind !== "ok") return { kind: "unavailable", why: reply.failure.why, retryAt: reply.failure.retryAt };
    const lines = readJsonLines(reply.text, OpenaiLine);
    if (lines === undefined) return unreadableResults(model);
    for (const line of lines) answers.set(line.custom_id, await readLine(reader, line));
  }
  return { kind: "ended", how, answers: [...answers.values()] };
}

async function readLine(reader: ResultReader, { custom_id, response, error }: OpenaiLine): Promise<BatchAnswer> {
  if (response !== null && response !== undefined) {
    return await readResult(reader, custom_id, { status: response.status_code, body: response.body });
  }
  const why = error?.code === "batch_expired" ? "expired" : error?.code === "batch_cancelled" ? "cancelled" : "failed";
  return unansweredBatchItem(reader, custom_id, why);
}

async function forget({ transport }: BatchClient, handle: BatchHandle, signal: AbortSignal): Promise<void> {
  const reply = await transport.read(batchPath(openaiBatchApi, handle), signal);
  const batch = reply.kind === "ok" ? OpenaiBatch.safeParse(parseJson(reply.text)).data : undefined;
  for (const file of [batch?.input_file_id, batch?.output_file_id, batch?.error_file_id]) {
    if (file === null || file === undefined) continue;
    await deleteFile(transport, file, signal);
  }
}

async function deleteFile(transport: BatchTransport, id: string, signal: AbortSignal): Promise<void> {
  await transport.write({ method: "DELETE", path: `/files/${encodeURIComponent(id)}`, body: null }, signal);
}

function failureWords({ name }: ModelClient, { errors }: OpenaiBatch): string {
  const said = errors?.data?.[0]?.message ?? "";
  return said === "" ? `${name} could not work on the batch` : `${name} refused the batch: ${plainLine(said, 200)}`;
}
