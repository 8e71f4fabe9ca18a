import { z } from "zod";
import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { TransportResponse, TransportResult } from "#forges/gitea/gitea-transport.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";

export interface FailedCall {
  /** `acme/tools#12: create comment`. */
  readonly what: string;
  readonly isWrite: boolean;
  readonly answer: TransportResult;
}

/** Only a refusal is a certain no; a read, whatever became of it, has changed nothing. */
export function forgeError({ what, isWrite, answer }: FailedCall): ForgeError {
  const kind = kindOf(answer);
  const isUnreached = answer.kind === "silence" && answer.isUnreached;
  const isCertain = !isWrite || kind !== "unavailable";
  return new ForgeError(kind, `gitea ${what}: ${wordsOf(answer)}`, {
    isApplied: isCertain ? "no" : "unknown",
    retryAt: answer.kind === "answered" && kind === "rate_limited" ? retryAtOf(answer) : null,
    cause: answer.kind === "silence" ? answer.cause : undefined,
    isUnreached,
  });
}

/** An answer that does not read as it should: a write may have happened all the same. */
export function malformedResponse(what: string, isWrite: boolean, cause: unknown): ForgeError {
  const message = `gitea ${what}: the answer does not read as it should`;
  return new ForgeError("malformed", message, { isApplied: isWrite ? "unknown" : "no", cause });
}

export function isSuccess(answer: TransportResult): answer is TransportResponse {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

export function isStatus(answer: TransportResult, status: number): answer is TransportResponse {
  return answer.kind === "answered" && answer.status === status;
}

const kinds: ReadonlyMap<number, ForgeErrorKind> = new Map([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [408, "unavailable"],
  [409, "conflict"],
  [410, "not_found"],
  // Gitea itself has no limits; what stands before it may.
  [429, "rate_limited"],
]);

function kindOf(answer: TransportResult): ForgeErrorKind {
  if (answer.kind === "silence" || answer.status >= 500) return "unavailable";
  return kinds.get(answer.status) ?? "refused";
}

/** Seconds, or a date on the forge's clock: the distance to its own date holds here too. */
function retryAtOf({ headers, heardAt }: TransportResponse): Instant | null {
  const said = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(said)) return after(heardAt, Number(said) * secondMs);
  const until = Date.parse(said);
  const date = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(until)) return null;
  return after(heardAt, Math.max(0, until - (Number.isNaN(date) ? heardAt : date)));
}

const Said = z.object({
  message: z.string().catch(""),
  /** Null, or details. */
  errors: z.array(z.string()).catch([]),
});

/** Gitea's own words, for people: cut, and on one line. */
export function messageOf(data: unknown): string {
  const said = Said.safeParse(data);
  if (!said.success) return "";
  const { message, errors } = said.data;
  const words = errors.length === 0 ? message : `${message}: ${errors.join("; ")}`;
  return words.replaceAll(/\s+/g, " ").slice(0, messageCharactersMax);
}

const messageCharactersMax = 300;

function wordsOf(answer: TransportResult): string {
  return answer.kind === "silence" ? answer.why : `${answer.status} ${messageOf(answer.data)}`.trimEnd();
}
