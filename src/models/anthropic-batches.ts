import { parseInstant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { AnthropicBatch, AnthropicBatchList, AnthropicLine } from "#models/anthropic-batch-schema.ts";
import { anthropicSize, clockSlackMs, handOverMsMax, pageSize, pagesMax, tooLarge } from "#models/batch-limits.ts";
import { unavailableProgress, unreadableResults } from "#models/batch-not-told.ts";
import { batchOptions } from "#models/batch-options.ts";
import { refusedFor, submittedAs } from "#models/batch-provider.ts";
import { type BatchTransport, createBatchTransport } from "#models/batch-transport.ts";
import { cancelAt } from "#models/cancel-batch.ts";
import { parseJson, readJsonLines } from "#models/json-lines.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { type ResultReader, readResult, unansweredBatchItem } from "#models/read-batch-result.ts";
import { isSameProvider } from "#models/same-provider.ts";
import { wireBodyOf } from "#models/wire-body.ts";
import type {
  BatchAnswer,
  Batches,
  BatchHandle,
  BatchProgress,
  BatchQuery,
  BatchReading,
  BatchSubmission,
  FoundBatch,
  Submitted,
} from "#ports/batches.ts";

/**
 * Anthropic's message batches. They carry nothing of ours but the ids of the requests, so the token stands in each of
 * those, and only the results of an ended batch tell whose it was.
 */
export function anthropicBatches(context: ModelCallContext, model: ModelClient): Batches {
  const headers = { "x-api-key": model.entry.key?.reveal() ?? "none", "anthropic-version": "2023-06-01" };
  const office: Office = { context, model, door: createBatchTransport({ context, model, headers }) };
  return {
    submit: (submission) => submit(office, submission),
    find: (wanted, signal) => find(office, wanted, signal),
    check: (handle, reading) => check(office, handle, reading),
    // Nobody here can reach a batch of somebody else; it ends by itself within a day.
    cancel: async (handle, signal) =>
      isSameProvider(model, handle) ? await cancelAt(office.door, pathOf(handle), signal) : { kind: "ends" },
    forget: async (handle, signal) => {
      if (isSameProvider(model, handle))
        await office.door.write({ method: "DELETE", path: pathOf(handle), body: null }, signal);
    },
  };
}

interface Office {
  readonly context: ModelCallContext;
  readonly model: ModelClient;
  readonly door: BatchTransport;
}

const root = "/messages/batches";
/** Between the token and the request's own id; neither has one. */
const mark = "_";

async function submit(
  { context, model, door }: Office,
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
  const large = tooLarge(anthropicSize, { requests: requests.length, bytes });
  if (large !== null) return refusedFor(`${model.name}: ${large}`);
  const headers = betas.size === 0 ? {} : { "anthropic-beta": [...betas].join(",") };
  const handOver = { method: "POST", timeMsMax: handOverMsMax, until } as const;
  const reply = await door.write({ ...handOver, path: root, body, headers }, signal);
  return submittedAs(model, reply, (text) => AnthropicBatch.safeParse(parseJson(text)).data?.id);
}

/** The list has the newest first. Only those are looked into that may be it, by their time and their size. */
async function find(office: Office, wanted: BatchQuery, signal: AbortSignal): Promise<FoundBatch> {
  const { model, door } = office;
  let cursor = "";
  let undecided = 0;
  for (let page = 0; page < pagesMax; page++) {
    const reply = await door.read(`${root}?limit=${pageSize}${cursor}`, signal);
    if (reply.kind !== "ok") return { kind: "cannot_tell", why: reply.failure.why };
    const list = AnthropicBatchList.safeParse(parseJson(reply.text)).data;
    if (list === undefined) return { kind: "cannot_tell", why: `the list of ${model.name}'s batches cannot be read` };
    for (const batch of list.data.filter((one) => isCandidate(one, wanted))) {
      const looked = await isMine(office, batch, { token: wanted.token, signal });
      if (looked === "yes") return { kind: "found", handle: { id: batch.id, model: model.name } };
      if (looked === "unknown") undecided += 1;
    }
    const last = list.data.at(-1);
    if (last === undefined || !list.has_more || isOlder(last, wanted)) {
      const why = `${model.name} works on ${undecided} of the same age and size, one of which may be it`;
      return undecided === 0 ? { kind: "none" } : { kind: "cannot_tell", why };
    }
    cursor = `&after_id=${encodeURIComponent(last.id)}`;
  }
  return { kind: "cannot_tell", why: `${model.name} has too many batches to look through` };
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
  { door }: Office,
  batch: AnthropicBatch,
  { token, signal }: { readonly token: string; readonly signal: AbortSignal },
): Promise<"yes" | "no" | "unknown"> {
  if (batch.processing_status !== "ended") return "unknown";
  const reply = await door.read(`${pathOf(batch)}/results`, signal);
  if (reply.kind === "refused" && reply.status === 404) return "no";
  if (reply.kind !== "ok") return "unknown";
  const lines = readJsonLines(reply.text, AnthropicLine);
  if (lines === undefined) return "unknown";
  return lines.some(({ custom_id }) => custom_id.startsWith(`${token}${mark}`)) ? "yes" : "no";
}

async function check(office: Office, handle: BatchHandle, { shape, signal }: BatchReading): Promise<BatchProgress> {
  const { context, model, door } = office;
  if (!isSameProvider(model, handle)) return { kind: "failed", why: `the batch was asked of ${handle.model}` };
  const gone = `${model.name} does not know the batch any more`;
  const reply = await door.read(pathOf(handle), signal);
  if (reply.kind !== "ok") return unavailableProgress(reply, gone);
  const batch = AnthropicBatch.safeParse(parseJson(reply.text)).data;
  if (batch === undefined) {
    return { kind: "unavailable", why: `${model.name} told of the batch in words that cannot be read`, retryAt: null };
  }
  if (batch.processing_status !== "ended") return { kind: "running" };
  // The address that the answer names for the results is not followed: the key would go along.
  const results = await door.read(`${pathOf(handle)}/results`, signal);
  if (results.kind !== "ok") return unavailableProgress(results, gone);
  const reader: ResultReader = { context, model, handle, shape };
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

function pathOf({ id }: Pick<BatchHandle, "id">): string {
  return `${root}/${encodeURIComponent(id)}`;
}
