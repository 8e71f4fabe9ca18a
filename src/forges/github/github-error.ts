import { z } from "zod";
import { readRate, readRetryAt } from "#forges/github/github-headers.ts";
import type { TransportResponse, TransportResult } from "#forges/github/github-transport.ts";
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
  return new ForgeError(kind, `github ${what}: ${wordsOf(answer)}`, {
    isApplied: isCertain ? "no" : "unknown",
    retryAt: answer.kind === "answered" && kind === "rate_limited" ? readRetryAt(answer) : null,
    cause: answer.kind === "silence" ? answer.cause : undefined,
    isUnreached,
  });
}

/** An answer that does not read as it should: a write may have happened all the same. */
export function malformedResponse(what: string, isWrite: boolean, cause: unknown): ForgeError {
  const message = `github ${what}: the answer does not read as it should`;
  return new ForgeError("malformed", message, { isApplied: isWrite ? "unknown" : "no", cause });
}

export function isSuccess(answer: TransportResult): answer is TransportResponse {
  // One that leads elsewhere is none: it was not followed, so nothing was done.
  return answer.kind === "answered" && answer.status < 300;
}

const kinds: ReadonlyMap<number, ForgeErrorKind> = new Map([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [408, "unavailable"],
  [409, "conflict"],
  [410, "not_found"],
  [451, "forbidden"],
]);

function kindOf(answer: TransportResult): ForgeErrorKind {
  if (answer.kind === "silence") return "unavailable";
  if (isRateLimit(answer)) return "rate_limited";
  if (answer.status < 500) return kinds.get(answer.status) ?? "refused";
  return "unavailable";
}

/**
 * GitHub says 403 for "not you" and for "not now". A header tells them apart most of the time; of a secondary limit that
 * comes without one, only the address of its documentation and its words do.
 */
function isRateLimit(answer: TransportResponse): boolean {
  if (answer.status === 429) return true;
  if (isTooQuick(answer)) return true;
  if (answer.status !== 403) return false;
  if (answer.headers["retry-after"] !== undefined || readRate(answer)?.left === 0) return true;
  const said = Said.safeParse(answer.data);
  return said.success && isLimitSaid(`${said.data.documentation_url} ${said.data.message}`);
}

/** Older Enterprise servers speak of abuse. */
export function isLimitSaid(words: string): boolean {
  return /rate[- ]limit|abuse detection/i.test(words);
}

/** The limit on what one account may write comes as a validation that failed, among its details and without a header. */
export function isTooQuick(answer: TransportResult): boolean {
  return answer.kind === "answered" && answer.status === 422 && /submitted too quickly/i.test(wordsIn(answer.data));
}

/** Of the token of a job, where the repository does not let GitHub Actions approve: everything else goes on. */
export function isApprovalForbidden(answer: TransportResult): boolean {
  return answer.kind === "answered" && answer.status === 422 && /not permitted to approve/i.test(wordsIn(answer.data));
}

const Said = z.object({
  message: z.string().catch(""),
  documentation_url: z.string().catch(""),
  /** Plain words from some endpoints, objects from others. */
  errors: z
    .array(
      z.union([z.string(), z.object({ field: z.string(), code: z.string(), message: z.string() }).partial()]).catch(""),
    )
    .catch([]),
});

/** GitHub's own words, for people: cut, and on one line. */
export function messageOf(data: unknown): string {
  return wordsIn(data).replaceAll(/\s+/g, " ").slice(0, messageCharactersMax);
}

/** "Validation Failed" alone helps nobody: what failed stands beside it. */
function wordsIn(data: unknown): string {
  const said = Said.safeParse(data);
  if (!said.success) return "";
  const details = said.data.errors.map((error) =>
    typeof error === "string" ? error : (error.message ?? [error.field, error.code].join(" ").trim()),
  );
  const told = details.filter((detail) => detail !== "");
  return told.length === 0 ? said.data.message : `${said.data.message}: ${told.join("; ")}`;
}

const messageCharactersMax = 300;

function wordsOf(answer: TransportResult): string {
  return answer.kind === "silence" ? answer.why : `${answer.status} ${messageOf(answer.data)}`.trimEnd();
}
