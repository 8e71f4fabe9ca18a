import { z } from "zod";
import { minuteMs } from "#core/model/instant.ts";
import { type BatchReply, type BatchTransport, createBatchTransport } from "#models/batch-transport.ts";
import { parseJson } from "#models/json-lines.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { ResultReader } from "#models/read-batch-result.ts";
import {
  type BatchCancelled,
  type Batches,
  type BatchHandle,
  type BatchProgress,
  type BatchQuery,
  type BatchSubmission,
  type FoundBatch,
  type Submitted,
  submitMsMax,
} from "#ports/batches.ts";

export interface BatchClient {
  readonly context: ModelCallContext;
  readonly model: ModelClient;
  readonly transport: BatchTransport;
}

export interface BatchReader extends ResultReader {
  readonly transport: BatchTransport;
  readonly signal: AbortSignal;
}

export interface BatchApi<Batch extends { readonly id: string }> {
  readonly root: string;
  readonly cursor: string;
  readonly Batch: z.ZodType<Batch>;
  headersOf(key: string): Readonly<Record<string, string>>;
  submit(client: BatchClient, submission: BatchSubmission): Promise<Submitted>;
  find(client: BatchClient, wanted: BatchQuery, signal: AbortSignal): Promise<FoundBatch>;
  progressOf(reader: BatchReader, batch: Batch): Promise<BatchProgress>;
  forget(client: BatchClient, handle: BatchHandle, signal: AbortSignal): Promise<void>;
}

export function createBatchClient<Batch extends { readonly id: string }>(
  context: ModelCallContext,
  model: ModelClient,
  api: BatchApi<Batch>,
): Batches {
  const headers = api.headersOf(model.entry.key?.reveal() ?? "none");
  const client: BatchClient = { context, model, transport: createBatchTransport({ context, model, headers }) };
  return {
    submit: (submission) => api.submit(client, submission),
    find: (wanted, signal) => api.find(client, wanted, signal),
    check: (handle, reading) => check(api, { ...client, ...reading, handle }),
    // This key reaches no batch of another provider, which ends by itself within a day.
    cancel: async (handle, signal) =>
      isSameProvider(model, handle) ? await cancelAt(client, batchPath(api, handle), signal) : { kind: "ends" },
    forget: async (handle, signal) => {
      if (isSameProvider(model, handle)) await api.forget(client, handle, signal);
    },
  };
}

/** Another model of the same provider may be configured by now: the same key reads what was paid for. */
function isSameProvider({ entry }: Pick<ModelClient, "entry">, { model }: BatchHandle): boolean {
  return model.startsWith(`${entry.provider}/`);
}

export function batchPath({ root }: { readonly root: string }, { id }: Pick<BatchHandle, "id">): string {
  return `${root}/${encodeURIComponent(id)}`;
}

async function check<Batch extends { readonly id: string }>(
  api: BatchApi<Batch>,
  reader: BatchReader,
): Promise<BatchProgress> {
  const { model, transport, handle, signal } = reader;
  if (!isSameProvider(model, handle)) return { kind: "failed", why: `the batch was asked of ${handle.model}` };
  const reply = await transport.read(batchPath(api, handle), signal);
  if (reply.kind !== "ok") return unavailableProgress(reply, model);
  const batch = api.Batch.safeParse(parseJson(reply.text)).data;
  if (batch !== undefined) return await api.progressOf(reader, batch);
  return { kind: "unavailable", why: `${model.name} told of the batch in words that cannot be read`, retryAt: null };
}

/** What has ended cannot be cancelled, and says so with one of these. */
const overStatuses: ReadonlySet<number> = new Set([400, 404, 409]);

async function cancelAt({ transport }: BatchClient, path: string, signal: AbortSignal): Promise<BatchCancelled> {
  const reply = await transport.write({ method: "POST", path: `${path}/cancel`, body: null }, signal);
  if (reply.kind === "ok") return { kind: "ends" };
  const isOver = reply.kind === "refused" && reply.status !== null && overStatuses.has(reply.status);
  return isOver ? { kind: "ends" } : { kind: "unavailable", why: reply.failure.why };
}

/** Some ten thousand batches that others made meanwhile. */
const pagesMax = 100;
const pageSize = 100;

interface BatchSearch<Batch> {
  readonly signal: AbortSignal;
  findIn(page: readonly Batch[]): Promise<Batch | undefined> | Batch | undefined;
  isTooOld(batch: Batch): boolean;
}

/** The list has the newest first. */
export async function findInPages<Batch extends { readonly id: string }>(
  { model, transport }: BatchClient,
  api: Pick<BatchApi<Batch>, "root" | "cursor" | "Batch">,
  search: BatchSearch<Batch>,
): Promise<FoundBatch> {
  const List = z.object({ data: z.array(api.Batch), has_more: z.boolean().catch(false) });
  let cursor = "";
  for (let page = 0; page < pagesMax; page++) {
    const reply = await transport.read(`${api.root}?limit=${pageSize}${cursor}`, search.signal);
    if (reply.kind !== "ok") return { kind: "cannot_tell", why: reply.failure.why };
    const list = List.safeParse(parseJson(reply.text)).data;
    if (list === undefined) return { kind: "cannot_tell", why: `the list of ${model.name}'s batches cannot be read` };
    const found = await search.findIn(list.data);
    if (found !== undefined) return { kind: "found", handle: { id: found.id, model: model.name } };
    const last = list.data.at(-1);
    if (last === undefined || !list.has_more || search.isTooOld(last)) return { kind: "none" };
    cursor = `&${api.cursor}=${encodeURIComponent(last.id)}`;
  }
  return { kind: "cannot_tell", why: `${model.name} has too many batches to look through` };
}

/** A missing batch will not come back; all else is unknown. */
export function unavailableProgress(
  reply: Exclude<BatchReply, { readonly kind: "ok" }>,
  { name }: Pick<ModelClient, "name">,
): BatchProgress {
  if (reply.kind === "refused" && reply.status === 404) {
    return { kind: "failed", why: `${name} does not know the batch any more` };
  }
  return { kind: "unavailable", why: reply.failure.why, retryAt: reply.failure.retryAt };
}

/** Paid for, without a second copy: a proxy's answer does not count as their absence. */
export function unreadableResults({ name }: Pick<ModelClient, "name">): BatchProgress {
  return { kind: "unavailable", why: `what came in the place of the results of ${name} cannot be read`, retryAt: null };
}

type Refused = Extract<Submitted, { readonly kind: "refused" }>;

export function refusedSubmission({ why, isPassing, retryAt }: Omit<Refused, "kind">): Refused {
  return { kind: "refused", why, isPassing, retryAt };
}

export function refusedFor(why: string): Refused {
  return refusedSubmission({ why, isPassing: false, retryAt: null });
}

/** An acceptance that cannot be understood may be there. */
export function submittedAs(
  model: ModelClient,
  reply: BatchReply,
  Batch: z.ZodType<{ readonly id: string }>,
): Submitted {
  if (reply.kind === "refused") return refusedSubmission(reply.failure);
  if (reply.kind === "unknown") return { kind: "unknown", why: reply.failure.why };
  const id = Batch.safeParse(parseJson(reply.text)).data?.id;
  if (id === undefined) return { kind: "unknown", why: `${model.name} accepted it in words that cannot be read` };
  return { kind: "submitted", handle: { id, model: model.name } };
}

/** Between their clocks and this machine's. */
export const clockSlackMs = 5 * minuteMs;
/** Per request of a submission's two, with hundreds of megabytes. */
export const handOverMsMax = submitMsMax / 2;

interface Size {
  readonly requests: number;
  readonly bytes: number;
}

export function tooLarge(made: Size, max: Size): string | null {
  if (made.requests > max.requests) return `a batch takes at most ${max.requests} requests`;
  return made.bytes > max.bytes ? `a batch takes at most ${max.bytes} bytes` : null;
}
