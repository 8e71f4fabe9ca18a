import { queueNames } from "#ports/queue.ts";
import type { QueueCounts } from "#queues/queue-overview.ts";
import type { Metric } from "#server/metric.ts";

const measures = [
  ["waiting", "Waiting entries, also those for later."],
  ["due", "Waiting entries that could begin now."],
  ["running", "Entries that a worker runs."],
  ["buried", "Quarantined entries, which failed for hours or crashed the process; `drover queue` lists them."],
] as const;

/** An empty queue is shown as 0: a missing line would not prove that all is well. */
export function queueMetrics(counts: readonly QueueCounts[], instances: readonly string[]): readonly Metric[] {
  const names = new Set([...instances, ...counts.map(({ instance }) => instance)]);
  const places = [...names].flatMap((forge) => queueNames.map((queue) => ({ forge, queue })));
  const valueAt = ({ forge, queue }: (typeof places)[number], measure: (typeof measures)[number][0]): number =>
    counts.find((count) => count.instance === forge && count.queue === queue)?.[measure] ?? 0;
  return measures.map(([measure, help]) => ({
    name: `drover_queue_${measure}`,
    help,
    type: "gauge",
    samples: places.map((labels) => ({ labels, value: valueAt(labels, measure) })),
  }));
}
