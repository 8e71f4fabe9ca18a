import { describe, expect, it } from "vitest";
import { queueMetrics } from "#app/serve/request-dependencies.ts";
import { metricsText } from "#server/metric.ts";

describe("the metrics of the queue", () => {
  it("show what waits, is due, runs and was set aside in each queue, and 0 where nothing is", () => {
    const counts = [{ instance: "gone", queue: "tick", waiting: 7, due: 3, running: 2, buried: 1 }];
    const text = metricsText(queueMetrics(counts, ["here"]));
    expect(text).toContain('drover_queue_waiting{forge="gone",queue="tick"} 7\n');
    expect(text).toContain('drover_queue_due{forge="gone",queue="tick"} 3\n');
    expect(text).toContain('drover_queue_running{forge="gone",queue="tick"} 2\n');
    expect(text).toContain('drover_queue_buried{forge="gone",queue="tick"} 1\n');
    expect(text).toContain('drover_queue_buried{forge="here",queue="review"} 0\n');
  });
});
