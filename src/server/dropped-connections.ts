import type { Server } from "node:http";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { Metric } from "#server/metric.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";

/** Counts connections that were dropped at `connectionsMax`, even if idle ones filled it. Nothing else reports them. */
export function countDropped(
  server: Pick<Server, "on">,
  { connectionsMax, ...place }: { readonly connectionsMax: number; readonly log: Log; readonly clock: Clock },
): () => Metric {
  const warn = rateLimitedWarnings(place, linesPerMinuteMax);
  let count = 0;
  server.on("drop", () => {
    count++;
    warn({ connectionsMax }, "a connection was turned away: as many as may be are open");
  });
  return () => ({
    name: "drover_connections_dropped_total",
    help: "Connections that were turned away because as many as may be were open.",
    type: "counter",
    samples: [{ value: count }],
  });
}

/** The counter tells how many there were. */
const linesPerMinuteMax = 1;
