import type { Metric } from "#server/metric.ts";
import type { DeliveryInbox } from "#store/delivery-inbox.ts";

export async function deliveryMetrics(deliveries: DeliveryInbox | null): Promise<readonly Metric[]> {
  if (deliveries === null) return [];
  return [
    {
      name: "drover_deliveries_waiting",
      help: "Accepted deliveries that are not yet pokes of their pulls.",
      type: "gauge",
      samples: [{ value: await deliveries.countDeliveries() }],
    },
    {
      name: "drover_deliveries_unwritten",
      help: "Deliveries that this process is storing.",
      type: "gauge",
      samples: [{ value: deliveries.countWaiting() }],
    },
  ];
}
