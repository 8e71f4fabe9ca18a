import { after, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { plainLine } from "#core/words/plain-text.ts";
import { clockSlackMs, handOverMsMax, openaiSize, pageSize, pagesMax, tooLarge } from "#models/batch-limits.ts";
import { unavailableProgress, unreadableResults } from "#models/batch-not-told.ts";
import { batchOptions } from "#models/batch-options.ts";
import { refusedFor, refusedSubmission, submittedAs } from "#models/batch-provider.ts";
import { type BatchTransport, createBatchTransport } from "#models/batch-transport.ts";
import { cancelAt } from "#models/cancel-batch.ts";
import { parseJson, readJsonLines } from "#models/json-lines.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { OpenaiBatch, OpenaiBatchList, OpenaiFile, OpenaiLine } from "#models/openai-batch-schema.ts";
import { type ResultReader, readResult, unansweredBatchItem } from "#models/read-batch-result.ts";
import { isSameProvider } from "#models/same-provider.ts";
import { wireBodyOf } from "#models/wire-body.ts";
import type {
  BatchAnswer,
  BatchEnding,
  Batches,
  BatchHandle,
  BatchProgress,
  BatchQuery,
  BatchReading,
  BatchSubmission,
  FoundBatch,
  Submitted,
} from "#ports/batches.ts";

/** OpenAI's batches: a file of requests, and files of answers. The token is in the batch's metadata. */
export function openaiBatches(context: ModelCallContext, model: ModelClient): Batches {
  const headers = { authorization: `Bearer ${model.entry.key?.reveal() ?? "none"}` };
  const office: Office = { context, model, door: createBatchTransport({ context, model, headers }) };
  return {
    submit: (submission) => submit(office, submission),
    find: (wanted, signal) => find(office, wanted, signal),
    check: (handle, reading) => check(office, handle, reading),
    // Nobody here can reach a batch of somebody else; it ends by itself within a day.
    cancel: async (handle, signal) =>
      isSameProvider(model, handle) ? await cancelAt(office.door, pathOf(handle), signal) : { kind: "ends" },
    forget: (handle, signal) => forget(office, handle, signal),
  };
}

interface Office {
  readonly context: ModelCallContext;
  readonly model: ModelClient;
  readonly door: BatchTransport;
}

const endpoint = "/v1/responses";
const tokenField = "drover_token";

/** First the file, of which nothing comes as long as no batch names it; then the batch, once. */
async function submit(
  { context, model, door }: Office,
  { token, requests, until, signal }: BatchSubmission,
): Promise<Submitted> {
  const lines: string[] = [];
  for (const request of requests) {
    const { body } = await wireBodyOf(model, batchOptions(context, model, request));
    lines.push(JSON.stringify({ custom_id: request.id, method: "POST", url: endpoint, body }));
  }
  const file = new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" });
  const large = tooLarge(openaiSize, { requests: requests.length, bytes: file.size });
  if (large !== null) return refusedFor(`${model.name}: ${large}`);
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", file, `drover-${token}.jsonl`);
  const handOver = { method: "POST", timeMsMax: handOverMsMax, until } as const;
  const uploaded = await door.write({ ...handOver, path: "/files", body: form }, signal);
  if (uploaded.kind !== "ok") return refusedSubmission(uploaded.failure);
  const fileId = OpenaiFile.safeParse(parseJson(uploaded.text)).data?.id;
  if (fileId === undefined) return refusedFor(`${model.name} took the file in words that cannot be read`);
  const body = JSON.stringify({
    input_file_id: fileId,
    endpoint,
    completion_window: "24h",
    metadata: { [tokenField]: token },
  });
  const made = await door.write({ ...handOver, path: "/batches", body }, signal);
  // Nobody would ever ask for the file again, and the change is in it.
  if (made.kind === "refused") await deleteFile(door, fileId, signal);
  return submittedAs(model, made, (text) => OpenaiBatch.safeParse(parseJson(text)).data?.id);
}

/** The list has the newest first. */
async function find({ model, door }: Office, { token, since }: BatchQuery, signal: AbortSignal): Promise<FoundBatch> {
  const oldest = (since - clockSlackMs) / secondMs;
  let cursor = "";
  for (let page = 0; page < pagesMax; page++) {
    const reply = await door.read(`/batches?limit=${pageSize}${cursor}`, signal);
    if (reply.kind !== "ok") return { kind: "cannot_tell", why: reply.failure.why };
    const list = OpenaiBatchList.safeParse(parseJson(reply.text)).data;
    if (list === undefined) return { kind: "cannot_tell", why: `the list of ${model.name}'s batches cannot be read` };
    const mine = list.data.findLast(({ metadata }) => metadata?.[tokenField] === token);
    if (mine !== undefined) return { kind: "found", handle: { id: mine.id, model: model.name } };
    const last = list.data.at(-1);
    if (last === undefined || !list.has_more || last.created_at < oldest) return { kind: "none" };
    cursor = `&after=${encodeURIComponent(last.id)}`;
  }
  return { kind: "cannot_tell", why: `${model.name} has too many batches to look through` };
}

async function check(office: Office, handle: BatchHandle, { shape, signal }: BatchReading): Promise<BatchProgress> {
  const { context, model, door } = office;
  if (!isSameProvider(model, handle)) return { kind: "failed", why: `the batch was asked of ${handle.model}` };
  const reply = await door.read(pathOf(handle), signal);
  if (reply.kind !== "ok") return unavailableProgress(reply, `${model.name} does not know the batch any more`);
  const batch = OpenaiBatch.safeParse(parseJson(reply.text)).data;
  if (batch === undefined)
    return { kind: "unavailable", why: `${model.name} told of the batch in words that cannot be read`, retryAt: null };
  if (batch.status === "failed") return { kind: "failed", why: failureWords(model, batch) };
  const how = endings.get(batch.status);
  if (how === undefined || isOutputToCome(context, batch)) return { kind: "running" };
  return await readEnded(office, batch, { how, reader: { context, model, handle, shape }, signal });
}

const endings: ReadonlyMap<string, BatchEnding> = new Map([
  ["completed", "completed"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
]);

/** Batches have been seen to be completed for minutes before their output was there, and also never to have any. */
const outputMsMax = 10 * minuteMs;

function isOutputToCome({ clock }: ModelCallContext, batch: OpenaiBatch): boolean {
  const isMissing = (batch.request_counts?.completed ?? 0) > 0 && (batch.output_file_id ?? null) === null;
  const endedAt = instant((batch.completed_at ?? batch.created_at) * secondMs);
  return batch.status === "completed" && isMissing && clock.now() < after(endedAt, outputMsMax);
}

interface Ended {
  readonly how: BatchEnding;
  readonly reader: ResultReader;
  readonly signal: AbortSignal;
}

async function readEnded({ door }: Office, batch: OpenaiBatch, { how, reader, signal }: Ended): Promise<BatchProgress> {
  const answers = new Map<string, BatchAnswer>();
  for (const file of [batch.error_file_id, batch.output_file_id]) {
    if (file === null || file === undefined) continue;
    const reply = await door.read(`/files/${encodeURIComponent(file)}/content`, signal);
    // A file that is gone has nothing to say; one that cannot be had now may have.
    if (reply.kind === "refused" && reply.status === 404) continue;
    if (reply.kind !== "ok") return { kind: "unavailable", why: reply.failure.why, retryAt: reply.failure.retryAt };
    const lines = readJsonLines(reply.text, OpenaiLine);
    if (lines === undefined) return unreadableResults(reader.model);
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

async function forget({ model, door }: Office, handle: BatchHandle, signal: AbortSignal): Promise<void> {
  if (!isSameProvider(model, handle)) return;
  const reply = await door.read(pathOf(handle), signal);
  const batch = reply.kind === "ok" ? OpenaiBatch.safeParse(parseJson(reply.text)).data : undefined;
  for (const file of [batch?.input_file_id, batch?.output_file_id, batch?.error_file_id]) {
    if (file === null || file === undefined) continue;
    await deleteFile(door, file, signal);
  }
}

async function deleteFile(door: BatchTransport, id: string, signal: AbortSignal): Promise<void> {
  await door.write({ method: "DELETE", path: `/files/${encodeURIComponent(id)}`, body: null }, signal);
}

function pathOf({ id }: BatchHandle): string {
  return `/batches/${encodeURIComponent(id)}`;
}

function failureWords({ name }: ModelClient, { errors }: OpenaiBatch): string {
  const said = errors?.data?.[0]?.message ?? "";
  return said === "" ? `${name} could not work on the batch` : `${name} refused the batch: ${plainLine(said, 200)}`;
}
