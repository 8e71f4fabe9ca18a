import { z } from "zod";
import { backoffMs } from "#core/backoff.ts";
import type { Instant } from "#core/model/instant.ts";
import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { forgeError, malformedResponse } from "#forges/gitea/gitea-error.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import type { Send, TransportRequest, TransportResponse, TransportResult } from "#forges/gitea/gitea-transport.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError } from "#ports/forge.ts";

export interface Caller {
  readonly send: Send;
  readonly clock: Clock;
  readonly onSpent: (spent: ForgeCallCost) => void;
}

export interface Since {
  readonly since?: Instant;
}

export interface ReadingManner extends Since {
  readonly manner: "read" | "look";
}

export interface GiteaRequest extends Since, Pick<TransportRequest, "method" | "path"> {
  /** `acme/tools#12`. */
  readonly where: string;
  readonly name: string;
  /** A `read` is repeated if nothing came back; a `write` and a `look` (a read on the way to a write) are sent once. */
  readonly manner: "read" | "look" | "write";
  readonly query?: TransportRequest["query"];
  readonly body?: unknown;
}

export interface Shaped<Shape extends z.ZodType> extends GiteaRequest {
  readonly shape: Shape;
}

export async function call<Shape extends z.ZodType>(caller: Caller, asked: Shaped<Shape>): Promise<z.infer<Shape>> {
  return bodyOf(asked, await callRaw(caller, asked));
}

export async function callDated<Shape extends z.ZodType>(
  caller: Caller,
  asked: Shaped<Shape>,
): Promise<{ readonly body: z.infer<Shape>; readonly answer: TransportResponse }> {
  const answer = await callRaw(caller, asked);
  const body = bodyOf(asked, answer);
  if (answer.kind === "silence") throw errorOf(asked, answer);
  return { body, answer };
}

export async function callRaw(caller: Caller, request: GiteaRequest): Promise<TransportResult> {
  for (let count = 1; ; count++) {
    const answer = await sendOnce(caller, request);
    // Without even a connection the caller is told at once and tries again at its own pace.
    const isPassing = answer.kind === "silence" ? !answer.isUnreached : answer.status >= 500;
    if (!isPassing || request.manner !== "read" || count >= giteaLimits.readAttemptsMax) return answer;
    await caller.clock.sleep(backoffMs({ attempt: count, firstMs: giteaLimits.retryWaitMs }));
  }
}

export function bodyOf<Shape extends z.ZodType>(asked: Shaped<Shape>, answer: TransportResult): z.infer<Shape> {
  if (!isSuccess(answer)) throw errorOf(asked, answer);
  const found = asked.shape.safeParse(answer.data);
  if (!found.success) throw malformedResponse(whatOf(asked), asked.manner === "write", found.error);
  return found.data;
}

export function errorOf(request: Pick<GiteaRequest, "where" | "name" | "manner">, answer: TransportResult): ForgeError {
  return forgeError({ what: whatOf(request), isWrite: request.manner === "write", answer });
}

interface Paged<Shape extends z.ZodType> extends Shaped<Shape> {
  readonly itemsMax: number;
}

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly isCut: boolean;
}

/** One element more than wanted shows that there are more. */
export async function callPages<Shape extends z.ZodType>(
  caller: Caller,
  paged: Paged<Shape>,
): Promise<Listed<z.infer<Shape>>> {
  for (let count = 1; count <= giteaLimits.listAttemptsMax; count++) {
    const listed = await readPages(caller, paged);
    if (listed !== undefined) return listed;
  }
  const message = `gitea ${whatOf(paged)}: the list changed whenever it was read`;
  throw new ForgeError("unavailable", message, { isApplied: "no" });
}

/** Undefined where a removed entry may have moved another onto a page that was read before. */
async function readPages<Shape extends z.ZodType>(
  caller: Caller,
  { shape, itemsMax, ...asked }: Paged<Shape>,
): Promise<Listed<z.infer<Shape>> | undefined> {
  const items: z.infer<Shape>[] = [];
  let [before, longest, empty, totalBefore] = ["", 0, 0, 0];
  for (let page = 1; items.length <= itemsMax; page++) {
    const { found, total } = await callPage(caller, { ...asked, shape, page });
    items.push(...found);
    if (total === undefined) {
      // A server that sends the same page again has no pages.
      const same = JSON.stringify(found);
      if (found.length > 0 && same === before) items.splice(-found.length);
      if (found.length === 0 || same === before) break;
      before = same;
      continue;
    }
    if (total < totalBefore) return undefined;
    totalBefore = total;
    // The server may give fewer and leaves out what we may not see: neither a short nor an empty page is the last.
    longest = Math.max(longest, found.length);
    empty = found.length === 0 ? empty + 1 : 0;
    const rows = page * (empty === 0 ? longest : Math.max(longest, giteaLimits.pageSizeMin));
    if (items.length >= total || rows >= total) break;
    if (empty > giteaLimits.emptyPagesMax) return { items, isCut: true };
  }
  return { items: items.slice(0, itemsMax), isCut: items.length > itemsMax };
}

/** Some endpoints send null for an empty list. */
export async function callPage<Shape extends z.ZodType>(
  caller: Caller,
  { shape, page, ...asked }: Shaped<Shape> & { readonly page: number },
): Promise<{ readonly found: readonly z.infer<Shape>[]; readonly total: number | undefined }> {
  const query = { ...asked.query, page, limit: giteaLimits.pageSize };
  const { body, answer } = await callDated(caller, { ...asked, query, shape: z.array(shape).nullable() });
  const total = answer.headers.get("x-total-count") ?? "";
  return { found: body ?? [], total: /^\d+$/.test(total) ? Number(total) : undefined };
}

async function sendOnce({ send, clock, onSpent }: Caller, request: GiteaRequest): Promise<TransportResult> {
  const { method, path, query = {}, body } = request;
  const timeoutMs = timeoutOf(request, clock.now());
  const answer = await send({ method, path: `/api/v1${path}`, query, body, timeoutMs });
  if (answer.kind === "answered") onSpent({ api: "rest", call: request.name, points: 1, isNotModified: false });
  return answer;
}

/** A write ends within its time, with all its calls: later it could repeat what another worker did who took over. */
function timeoutOf(request: GiteaRequest, now: Instant): number {
  if (request.manner === "read") return giteaLimits.readTimeoutMs;
  const leftMs = giteaLimits.writeTimeoutMs - (now - (request.since ?? now));
  if (leftMs > 0) return leftMs;
  throw new ForgeError("unavailable", `gitea ${whatOf(request)}: its time was over before it was sent`, {
    isApplied: "no",
  });
}

function whatOf({ where, name }: Pick<GiteaRequest, "where" | "name">): string {
  return `${where}: ${name}`;
}
