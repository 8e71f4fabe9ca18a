import { secondMs } from "#core/model/instant.ts";
import type { IgnoredWebhookReason, RefusedWebhookReason } from "#ports/webhook-source.ts";
import type { Metric, MetricSample } from "#server/metric.ts";

/** Each reason is one of a few words: strangers must not be able to make up new labels. */
export type WebhookOutcome =
  | { readonly kind: "taken" }
  | { readonly kind: "ignored"; readonly why: IgnoredWebhookReason }
  | { readonly kind: "refused"; readonly why: RefusedWebhookReason | "content_type" | "too_large" | "unknown_source" }
  | { readonly kind: "busy"; readonly why: "intake" | "memory" | "stopping" | "failure" }
  | { readonly kind: "gone" };

/** In this process alone, so that it works while the database is silent. */
export interface WebhookCounts {
  began(): void;
  ended(manner: string, outcome: WebhookOutcome, ms: number): void;
  metrics(): readonly Metric[];
}

export function createWebhookCounts(): WebhookCounts {
  const counts = new Map<string, MetricSample>();
  let waiting = 0;
  let answered = 0;
  let seconds = 0;
  return {
    began: () => {
      waiting++;
    },
    ended: (manner, outcome, ms) => {
      waiting--;
      answered++;
      // The clock may have been set back meanwhile.
      seconds += Math.max(0, ms) / secondMs;
      const labels = { manner, outcome: outcome.kind, ...("why" in outcome ? { why: outcome.why } : {}) };
      const key = Object.values(labels).join(" ");
      counts.set(key, { labels, value: (counts.get(key)?.value ?? 0) + 1 });
    },
    metrics: () => [
      {
        name: "drover_webhooks_total",
        help: "Deliveries by what became of them; taken: written down and acted on.",
        type: "counter",
        samples: [...counts.values()],
      },
      {
        name: "drover_webhooks_waiting",
        help: "Deliveries that are being received or written down.",
        type: "gauge",
        samples: [{ value: waiting }],
      },
      {
        name: "drover_webhook_seconds",
        help: "Time from the headers of a delivery to its answer.",
        type: "summary",
        samples: [
          { suffix: "_sum", value: seconds },
          { suffix: "_count", value: answered },
        ],
      },
    ],
  };
}
