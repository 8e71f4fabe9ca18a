import type { Instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import { textResponse } from "#server/http-response.ts";
import { type Metric, metricsText } from "#server/metric.ts";
import type { Route } from "#server/router.ts";
import { withTimeout } from "#server/with-timeout.ts";

export type Readiness = { readonly kind: "ready" } | { readonly kind: "not_ready"; readonly why: string };

export interface StatusRoutesOptions {
  readonly isReady: () => Readiness;
  readonly ownMetrics: () => readonly Metric[];
  readonly otherMetrics: () => Promise<readonly Metric[]>;
  readonly metricsMsMax: number;
  readonly metricsKeepMs: number;
  readonly clock: Clock;
}

/** For monitoring. None of them waits long for the database. */
export function statusRoutes(room: StatusRoutesOptions): readonly (readonly [path: string, Route])[] {
  const { clock, metricsKeepMs: keepMs } = room;
  const otherMetrics = coalesceReads({ read: () => quietly(room.otherMetrics), clock, keepMs });
  return [
    ["/healthz", { methods, handle: async () => alive }],
    ["/readyz", { methods, handle: async ({ isStopping }) => readyAnswer(isStopping ? stopping : room.isReady()) }],
    [metricsPath, { methods, handle: async () => metricsAnswer(await allMetrics(room, otherMetrics)) }],
  ];
}

export const metricsPath = "/metrics";

const methods = ["GET", "HEAD"];

/** Asks nothing: a restart does not help against a silent database. */
const alive = textResponse(200, "ok");

const stopping: Readiness = { kind: "not_ready", why: "stopping" };

function readyAnswer(readiness: Readiness): ReturnType<typeof textResponse> {
  return readiness.kind === "ready" ? textResponse(200, "ready") : textResponse(503, readiness.why);
}

function metricsAnswer(metrics: readonly Metric[]): ReturnType<typeof textResponse> {
  return { status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: metricsText(metrics) };
}

async function allMetrics(
  { ownMetrics, metricsMsMax }: StatusRoutesOptions,
  otherMetrics: () => Promise<readonly Metric[] | undefined>,
): Promise<readonly Metric[]> {
  const others = await withTimeout(otherMetrics(), { ms: metricsMsMax, late: undefined });
  const isWhole: Metric = {
    name: "drover_metrics_complete",
    help: "0 where a part of the process did not say its own in time.",
    type: "gauge",
    samples: [{ value: others === undefined ? 0 : 1 }],
  };
  return [...ownMetrics(), isWhole, ...(others ?? [])];
}

/** A part that fails is left out, and its own log says why. */
async function quietly(metrics: () => Promise<readonly Metric[]>): Promise<readonly Metric[] | undefined> {
  try {
    return await metrics();
  } catch {
    return undefined;
  }
}

interface SharedReadingOptions<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** How long a value serves those who ask next. */
  readonly keepMs: number;
}

/** One read at a time: impatient callers would queue up reads before the real work of a slow database. */
export function coalesceReads<Value>({ read, clock, keepMs }: SharedReadingOptions<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let endedAt: Instant | undefined;
  const isFresh = (now: Instant): boolean =>
    // A clock that was set back must not keep it for hours.
    endedAt === undefined || (now >= endedAt && now < endedAt + keepMs);
  return async () => {
    if (reading === undefined || !isFresh(clock.now())) {
      endedAt = undefined;
      reading = read().finally(() => {
        endedAt = clock.now();
      });
    }
    return await reading;
  };
}
