import { type Instant, instant } from "#core/model/instant.ts";
import type { NoAnswerReason } from "#forges/unreached.ts";

export interface ForgeResponse<Headers> {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
  /** The forge's clock at the request, as far as its answer tells. */
  readonly askedAt: Instant;
  readonly heardAt: Instant;
}

/** The connection broke, nothing came in time, or too much. */
export interface NoResponse extends NoAnswerReason {
  readonly kind: "silence";
  readonly cause: unknown;
}

export type ForgeResult<Headers> = ForgeResponse<Headers> | NoResponse;

/** A redirect that was not followed is no success: nothing was done. */
export function isSuccess<Headers>(answer: ForgeResult<Headers>): answer is ForgeResponse<Headers> {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

/** An answer is dated at its end, but shows the forge as of the request: subtract the time it took here. */
export function askedAtOf(
  date: string,
  { sentAt, heardAt }: { readonly sentAt: Instant; readonly heardAt: Instant },
): Instant {
  const said = Date.parse(date);
  const tookMs = Math.max(0, heardAt - sentAt);
  return Number.isNaN(said) ? sentAt : instant(Math.max(0, said - tookMs));
}

/** Undefined where it leads nowhere, to another server, or would change the method of a write. */
export function redirectOf(
  { status, headers }: { readonly status: number; readonly headers: Headers },
  { method, address, root }: { readonly method: string; readonly address: string; readonly root: string },
): string | undefined {
  const isFollowed = status === 301 || status === 307 || status === 308 || (method === "GET" && status === 302);
  const location = headers.get("location");
  if (!isFollowed || location === null || !URL.canParse(location, address)) return undefined;
  const [next, allowed] = [new URL(location, address), new URL(root)];
  return next.origin === allowed.origin && next.pathname.startsWith(allowed.pathname) ? next.href : undefined;
}
