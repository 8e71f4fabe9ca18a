import { z } from "zod";
import type { Answered, Desk, Wire } from "./batch-provider.ts";
import type { Room, StoredBatch } from "./room.ts";

const Create = z.object({
  requests: z
    .array(
      z.object({ custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), params: z.record(z.string(), z.unknown()) }),
    )
    .min(1),
});

/** Anthropic's message batches. Its list is short, so that one has to turn pages. */
export function anthropicDesk(room: Room): Desk {
  return async (wire) => {
    const [path = "", query = ""] = wire.path.split("?");
    const [, messages, batches, id, what] = path.split("/");
    if (messages !== "messages" || batches !== "batches") return undefined;
    if (id === undefined) return wire.method === "POST" ? create(room, wire) : list(room, new URLSearchParams(query));
    const batch = room.find(id);
    if (batch === undefined) return undefined;
    return act(room, batch, { method: wire.method, what });
  };
}

const pageSize = 2;

function act(
  room: Room,
  batch: StoredBatch,
  { method, what }: { readonly method: string; readonly what: string | undefined },
): Answered | undefined {
  const isEnded = stageOf(room, batch) === "ended";
  if (method === "DELETE") {
    batch.isDeleted = isEnded;
    return { status: isEnded ? 200 : 400, body: {} };
  }
  if (what === "results") return isEnded ? { status: 200, body: results(room, batch) } : undefined;
  if (what === "cancel") {
    if (isEnded) return { status: 400, body: { error: { type: "invalid_request_error", message: "it has ended" } } };
    room.cancel(batch);
  }
  return { status: 200, body: shown(room, batch) };
}

function create(room: Room, { body }: Wire): Answered {
  const asked = Create.safeParse(JSON.parse(typeof body === "string" ? body : "null"));
  if (!asked.success) return { status: 400, body: { error: { type: "invalid_request_error", message: "bad" } } };
  const requests = asked.data.requests.map(({ custom_id, params }) => ({ id: custom_id, body: params }));
  return { status: 200, body: shown(room, room.add(requests, {})) };
}

function list(room: Room, query: URLSearchParams): Answered {
  const all = room.list();
  const start = query.has("after_id") ? all.findIndex(({ id }) => id === query.get("after_id")) + 1 : 0;
  const page = all.slice(start, start + pageSize);
  return {
    status: 200,
    body: { data: page.map((batch) => shown(room, batch)), has_more: all.length > start + pageSize },
  };
}

/** What fails or runs out of time has ended here, request by request. */
function stageOf(room: Room, batch: StoredBatch): "in_progress" | "canceling" | "ended" {
  const stage = room.stateOf(batch);
  if (stage === "begun") return "in_progress";
  return stage === "ending" ? "canceling" : "ended";
}

function shown(room: Room, batch: StoredBatch): unknown {
  const processing_status = stageOf(room, batch);
  const total = batch.requests.length;
  const isEnded = processing_status === "ended";
  return {
    id: batch.id,
    type: "message_batch",
    processing_status,
    created_at: new Date(batch.createdAt).toISOString(),
    cancel_initiated_at: batch.cancelledAt === null ? null : new Date(batch.cancelledAt).toISOString(),
    archived_at: null,
    results_url: isEnded ? "https://elsewhere.example/results" : null,
    request_counts: {
      processing: isEnded ? 0 : total,
      succeeded: isEnded ? total : 0,
      errored: 0,
      canceled: 0,
      expired: 0,
    },
  };
}

function results(room: Room, batch: StoredBatch): string {
  const fates = room.fatesOf(batch);
  const isFailed = room.stateOf(batch) === "failed";
  const lines = batch.requests.flatMap(({ id, body }, index) => {
    const fate = isFailed ? "errored" : (fates[index] ?? "answered");
    if (fate === "missing") return [];
    if (fate === "garbage") return ["{this is no line"];
    return [JSON.stringify({ custom_id: id, result: resultOf(room, body, fate) })];
  });
  // In another order than they were asked in.
  return lines
    .toReversed()
    .map((line) => `${line}\n`)
    .join("");
}

function resultOf(room: Room, body: unknown, fate: string): unknown {
  if (fate === "expired") return { type: "expired" };
  if (fate === "cancelled") return { type: "canceled" };
  if (fate === "errored")
    return { type: "errored", error: { type: "error", error: { type: "api_error", message: "oops" } } };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: room.say(JSON.stringify(body)) }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1000, output_tokens: 100 },
  };
  return { type: "succeeded", message };
}
