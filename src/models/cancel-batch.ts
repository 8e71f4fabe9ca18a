import type { BatchTransport } from "#models/batch-transport.ts";
import type { BatchCancelled } from "#ports/batches.ts";

/** What has ended cannot be cancelled, and says so with one of these. */
const overStatuses: ReadonlySet<number> = new Set([400, 404, 409]);

export async function cancelAt(door: BatchTransport, path: string, signal: AbortSignal): Promise<BatchCancelled> {
  const reply = await door.write({ method: "POST", path: `${path}/cancel`, body: null }, signal);
  if (reply.kind === "ok") return { kind: "ends" };
  const isOver = reply.kind === "refused" && reply.status !== null && overStatuses.has(reply.status);
  return isOver ? { kind: "ends" } : { kind: "unavailable", why: reply.failure.why };
}
