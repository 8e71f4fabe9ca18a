import { z } from "zod";
import type { Answered, Desk, Wire } from "./batch-provider.ts";
import type { Room, StoredBatch } from "./room.ts";

const Line = z.object({
  custom_id: z.string(),
  method: z.literal("POST"),
  url: z.literal("/v1/responses"),
  body: z.unknown(),
});
const Create = z.object({
  input_file_id: z.string(),
  endpoint: z.literal("/v1/responses"),
  completion_window: z.literal("24h"),
  metadata: z.record(z.string(), z.string()),
});

/** OpenAI's files and batches. Its list is short, so that one has to turn pages. */
export function openaiDesk(room: Room): Desk {
  return async (wire) => {
    const [path = "", query = ""] = wire.path.split("?");
    const [, kind, id, what] = path.split("/");
    if (kind === "files") return await files(room, wire, { id, what });
    if (kind !== "batches") return undefined;
    if (id === undefined) return wire.method === "POST" ? create(room, wire) : list(room, new URLSearchParams(query));
    const batch = room.find(id);
    if (batch === undefined) return undefined;
    if (what !== "cancel") return { status: 200, body: shown(room, batch) };
    if (["ended", "expired", "failed"].includes(room.stateOf(batch))) return refused("it has ended");
    room.cancel(batch);
    return { status: 200, body: shown(room, batch) };
  };
}

const pageSize = 2;

function refused(message: string): Answered {
  return { status: 400, body: { error: { message, type: "invalid_request_error" } } };
}

async function files(
  room: Room,
  { method, body }: Wire,
  { id, what }: { readonly id: string | undefined; readonly what: string | undefined },
): Promise<Answered | undefined> {
  if (method === "POST" && id === undefined) {
    const file = body instanceof FormData ? body.get("file") : null;
    if (!(body instanceof FormData) || !(file instanceof Blob) || body.get("purpose") !== "batch") {
      return refused("no file");
    }
    const name = `file-${room.files.size + 1}`;
    room.files.set(name, await file.text());
    return { status: 200, body: { id: name, object: "file" } };
  }
  if (method === "DELETE" && id !== undefined) return { status: room.files.delete(id) ? 200 : 404, body: {} };
  const text = id === undefined || what !== "content" ? undefined : room.files.get(id);
  return text === undefined ? undefined : { status: 200, body: text };
}

function create(room: Room, { body }: Wire): Answered {
  const asked = Create.safeParse(JSON.parse(typeof body === "string" ? body : "null"));
  if (!asked.success) return refused(asked.error.message);
  const { input_file_id, metadata } = asked.data;
  const lines = (room.files.get(input_file_id) ?? "").trimEnd().split("\n");
  const requests = lines.map((line) => Line.parse(JSON.parse(line)));
  const batch = room.add(
    requests.map(({ custom_id, body: params }) => ({ id: custom_id, body: params })),
    { token: Object.values(metadata)[0] ?? null, inputFile: input_file_id },
  );
  return { status: 200, body: shown(room, batch) };
}

function list(room: Room, query: URLSearchParams): Answered {
  const all = room.list();
  const start = query.has("after") ? all.findIndex(({ id }) => id === query.get("after")) + 1 : 0;
  const page = all.slice(start, start + pageSize);
  const has_more = all.length > start + pageSize;
  return { status: 200, body: { object: "list", data: page.map((batch) => shown(room, batch)), has_more } };
}

/** A batch that has ended puts its files there when somebody looks. */
function shown(room: Room, batch: StoredBatch): unknown {
  const stage = room.stateOf(batch);
  const isOver = stage === "ended" || stage === "expired";
  const output = isOver ? fill(room, batch, "output") : null;
  const errors = isOver ? fill(room, batch, "errors") : null;
  const ended = batch.cancelledAt === null ? "completed" : "cancelled";
  const statuses = { begun: "in_progress", ending: "cancelling", ended, failed: "failed", expired: "expired" };
  return {
    id: batch.id,
    object: "batch",
    status: statuses[stage],
    created_at: Math.floor(batch.createdAt / 1000),
    completed_at: isOver ? Math.floor(room.now() / 1000) : null,
    input_file_id: batch.inputFile,
    output_file_id: output,
    error_file_id: errors,
    metadata: batch.token === null ? null : { drover_token: batch.token },
    errors: stage === "failed" ? { object: "list", data: [{ message: "the file cannot be worked on" }] } : null,
    request_counts: { total: batch.requests.length, completed: 0, failed: 0 },
  };
}

function fill(room: Room, batch: StoredBatch, what: "output" | "errors"): string | null {
  const name = `${batch.id}-${what}`;
  const fates = room.fatesOf(batch);
  // In another order than they were asked in.
  const lines = batch.requests
    .map(({ id, body }, index) => lineOf(room, { id, body, fate: fates[index] ?? "answered" }))
    .filter((line) => line?.file === what)
    .toReversed();
  if (lines.length === 0) return null;
  room.files.set(name, lines.map((line) => `${line?.text}\n`).join(""));
  return name;
}

function lineOf(
  room: Room,
  { id, body, fate }: { readonly id: string; readonly body: unknown; readonly fate: string },
): { readonly file: "output" | "errors"; readonly text: string } | null {
  const line = (over: object): string =>
    JSON.stringify({ id: `req-${id}`, custom_id: id, response: null, error: null, ...over });
  switch (fate) {
    case "answered": {
      const response = { status_code: 200, body: responseBody(room.say(JSON.stringify(body))) };
      return { file: "output", text: line({ response }) };
    }
    case "garbage":
      return { file: "output", text: "{this is no line" };
    case "errored":
      return { file: "errors", text: line({ response: { status_code: 500, body: { error: { message: "oops" } } } }) };
    case "expired":
      return { file: "errors", text: line({ error: { code: "batch_expired", message: "too late" } }) };
    case "cancelled":
      return { file: "errors", text: line({ error: { code: "batch_cancelled", message: "stopped" } }) };
    default:
      return null;
  }
}

function responseBody(text: string): unknown {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "gpt-5-mini",
    output: [
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100, input_tokens_details: { cached_tokens: 0 } },
  };
}
