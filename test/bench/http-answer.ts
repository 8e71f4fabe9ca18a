/** An answer of HTTP 1.1, as far as a sender of requests has to know it. */
export interface HttpAnswer {
  readonly status: number;
  /** The server closes the connection after it. */
  readonly isLast: boolean;
}

/** Undefined while a part of it is missing. One character per byte; nothing follows it. */
export function readAnswer(received: string): HttpAnswer | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd).toLowerCase();
  const status = Number(head.slice(9, 12));
  if (!isWhole(received, { head, bodyAt: headEnd + 4, status })) return undefined;
  return { status, isLast: head.includes("\r\nconnection: close") };
}

interface Head {
  readonly head: string;
  readonly bodyAt: number;
  readonly status: number;
}

function isWhole(received: string, { head, bodyAt, status }: Head): boolean {
  if (status === 204) return true;
  if (head.includes("\r\ntransfer-encoding: chunked")) return received.endsWith("\r\n0\r\n\r\n");
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${head}`);
  return received.length - bodyAt >= Number(length);
}
