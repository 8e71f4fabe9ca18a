import { expect, it } from "vitest";
import { metricsText } from "#server/metric.ts";

it("metrics are written as Prometheus reads them", () => {
  const text = metricsText([
    {
      name: "drover_things_total",
      help: "Things\nof C:\\.",
      type: "counter",
      samples: [
        { labels: { kind: 'say "a\\b"\n', other: "x" }, value: 2 },
        { labels: {}, value: 3 },
      ],
    },
    { name: "drover_seconds", help: "Time.", type: "summary", samples: [{ suffix: "_sum", value: 0.25 }] },
    { name: "drover_none", help: "Nothing yet.", type: "gauge", samples: [] },
  ]);
  expect(text).toMatchInlineSnapshot(`
    "# HELP drover_things_total Things\\nof C:\\\\.
    # TYPE drover_things_total counter
    drover_things_total{kind="say \\"a\\\\b\\"\\n",other="x"} 2
    drover_things_total 3
    # HELP drover_seconds Time.
    # TYPE drover_seconds summary
    drover_seconds_sum 0.25
    # HELP drover_none Nothing yet.
    # TYPE drover_none gauge
    "
  `);
});
