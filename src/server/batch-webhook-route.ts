import { never } from "#core/never.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { BoundedMemory } from "#server/bounded-memory.ts";
import { busyResponse, type HttpResponse, jsonResponse } from "#server/http-response.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";
import { readBody } from "#server/read-body.ts";
import type { Exchange, Route } from "#server/router.ts";
import type { ServerLimits } from "#server/server-limits.ts";
import { withTimeout } from "#server/with-timeout.ts";

export interface BatchWebhookHandlers {
  /** Asked anew each time, so that a reload holds for the next delivery. Null: no secret is configured. */
  readonly openai: () => BatchWebhook | null;
  /** `busy`: the server is still starting. */
  readonly bringForward: (batch: string) => Promise<"brought_forward" | "unknown" | "busy">;
}

interface BatchDesk extends BatchWebhookHandlers {
  readonly memory: BoundedMemory;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/** The end of a batch only makes its job look at once. */
export function batchWebhookRoutes(desk: BatchDesk): readonly (readonly [path: string, Route])[] {
  const warn = rateLimitedWarnings(desk);
  return [["/webhooks/openai", { methods: ["POST"], handle: (exchange) => receive({ ...desk, warn }, exchange) }]];
}

interface BatchReceiver extends BatchDesk {
  /** Rate-limited: strangers can cause these lines. */
  readonly warn: Log["warn"];
}

async function receive(desk: BatchReceiver, { request, id, isStopping }: Exchange): Promise<HttpResponse | undefined> {
  const hook = desk.openai();
  if (hook === null) return refuse(404, "unknown_source", "no webhook secret of OpenAI is in Drover's configuration");
  if (isStopping) return busyResponse("stopping");
  const body = await readBody(request, { bytesMax: bodyBytesMax, memory: desk.memory });
  switch (body.kind) {
    case "body":
      break;
    case "too_large":
      return { ...refuse(413, "too_large", "no delivery about a batch is so long"), isLast: true };
    case "no_memory":
      return { ...busyResponse("memory"), isLast: true };
    case "gone":
      return undefined;
    default:
      return never(body);
  }
  const reading = hook.read({ headers: request.headers, body: body.bytes }, desk.clock.now());
  if (reading.kind === "refused") {
    desk.warn({ request: id, why: reading.why }, "a delivery about a batch was refused");
    return refuse(reading.why === "malformed" ? 400 : 401, reading.why, hints[reading.why]);
  }
  if (reading.kind === "ignored") return jsonResponse(200, { ignored: reading.why });
  const brought = await withTimeout(desk.bringForward(reading.batch), { ms: desk.limits.answerMsMax, late: "late" });
  if (brought === "busy") return busyResponse("starting");
  if (brought === "late") return busyResponse("database");
  desk.log.info({ request: id, batch: reading.batch, outcome: brought }, "a provider told of a batch");
  return brought === "unknown" ? jsonResponse(200, { ignored: "unknown_batch" }) : jsonResponse(202, { taken: true });
}

/** Such deliveries name an event and a batch, and nothing more. */
const bodyBytesMax = 64 * 1024;

const hints = {
  unsigned: "the headers of Standard Webhooks are missing",
  bad_signature: "the signing secret of this endpoint is none of those in Drover's configuration",
  too_old: "the delivery is more than five minutes old, or one of the clocks is wrong",
  malformed: "the body is not what an event about a batch looks like",
} as const;

function refuse(status: number, why: string, hint: string): HttpResponse {
  return jsonResponse(status, { refused: why, hint });
}
