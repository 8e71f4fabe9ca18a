import { orders, payments } from "./stores.js";

export async function finish(orderId: string): Promise<"closed" | "refused"> {
  const order = await orders.load(orderId);
  try {
    payments.capture(order.id);
  } catch {
    return "refused";
  }
  await orders.close(order.id);
  return "closed";
}
