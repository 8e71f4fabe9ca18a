import type { Metric } from "#server/metric.ts";
import type { DeliveryInbox } from "#store/delivery-inbox.ts";

export async function deliveryMetrics(deliveries: DeliveryInbox | null): Promise<readonly Metric[]> {
  if (deliveries === null) return [];
  return [
    {
      name: "drover_deliveries_waiting",
      help: "Deliveries that were accepted and not yet turned into looks at their pulls.",
      type: "gauge",
      samples: [{ value: await deliveries.countDeliveries() }],
    },
    {
      name: "drover_deliveries_unwritten",
      help: "Deliveries that this process is writing down.",
      type: "gauge",
      samples: [{ value: deliveries.countWaiting() }],
    },
  ];
}
