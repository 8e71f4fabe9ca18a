import type { IncomingMessage } from "node:http";
import type { BoundedMemory, MemoryShare } from "#server/bounded-memory.ts";

export type BodyRead =
  | { readonly kind: "body"; readonly bytes: Uint8Array }
  | { readonly kind: "too_large" }
  /** The memory for all bodies together is used up, and this one is the largest. */
  | { readonly kind: "no_memory" }
  | { readonly kind: "gone" };

/** An unread rest stays in the connection, which then has to end. Bytes count only while they come in. */
export function readBody(
  request: IncomingMessage,
  limits: { readonly bytesMax: number; readonly memory: BoundedMemory },
): Promise<BodyRead> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limits.bytesMax) return Promise.resolve({ kind: "too_large" });
  return new Promise((resolve) => {
    const share = limits.memory.open(() => end({ kind: "no_memory" }));
    const body: Growing = { bytes: noBytes, length: 0 };
    const end = (result: BodyRead): void => {
      share.release();
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      if (result.kind !== "body") request.pause();
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      if (body.length + chunk.length > limits.bytesMax) return end({ kind: "too_large" });
      if (!append(body, chunk, { declared, share })) end({ kind: "no_memory" });
    };
    const onEnd = (): void => end({ kind: "body", bytes: body.bytes.subarray(0, body.length) });
    const onClose = (): void => end({ kind: "gone" });
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

interface Growing {
  bytes: Buffer;
  length: number;
}

const noBytes = Buffer.alloc(0);

/** Mostly one piece. Others are copied together: a list of one-byte pieces takes a hundred times the counted memory. */
function append(body: Growing, chunk: Buffer, { declared, share }: Appending): boolean {
  const length = body.length + chunk.length;
  if (body.length === 0 && chunk.length === declared) {
    if (!share.grow(length)) return false;
    body.bytes = chunk;
    body.length = length;
    return true;
  }
  if (length > body.bytes.length) {
    const capacity = capacityFor(length, declared);
    if (!share.grow(capacity)) return false;
    const grown = Buffer.allocUnsafe(capacity);
    body.bytes.copy(grown, 0, 0, body.length);
    body.bytes = grown;
  }
  chunk.copy(body.bytes, body.length);
  body.length = length;
  return true;
}

interface Appending {
  readonly declared: number;
  readonly share: MemoryShare;
}

const bytesMin = 8192;

/** Twice what is needed, so that copying costs as much as sending at most, but no more than was announced. */
function capacityFor(length: number, declared: number): number {
  const generous = Math.max(2 * length, bytesMin);
  return declared >= length ? Math.min(generous, declared) : generous;
}
