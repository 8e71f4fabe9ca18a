import { z } from "zod";
import { callError, cutMessage, type FailedForgeCall, kindOfStatus, unreadableAnswer } from "#forges/call-error.ts";
import { readRate, readRetryAt } from "#forges/github/github-headers.ts";
import type { GithubHeaders, TransportResponse, TransportResult } from "#forges/github/github-transport.ts";
import type { ForgeError, ForgeErrorKind } from "#ports/forge.ts";

export function forgeError(call: FailedForgeCall<GithubHeaders>): ForgeError {
  return callError(call, { forge: "github", kindOf, retryAtOf: readRetryAt, messageOf });
}

export function malformedResponse(what: string, isWrite: boolean, cause: unknown): ForgeError {
  return unreadableAnswer(`github ${what}`, isWrite, cause);
}

function kindOf(answer: TransportResponse): ForgeErrorKind {
  if (isRateLimit(answer)) return "rate_limited";
  return answer.status === 451 ? "forbidden" : kindOfStatus(answer.status);
}

/** 403 is "not you" and "not now". A header tells; a secondary limit may show only in its documentation's address and words. */
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

/** The limit on one account's writes comes as a failed validation, in its details and without a header. */
export function isTooQuick(answer: TransportResult): boolean {
  return answer.kind === "answered" && answer.status === 422 && /submitted too quickly/i.test(wordsIn(answer.data));
}

/** For a job's token where the repository does not let GitHub Actions approve: all else goes on. */
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

export function messageOf(data: unknown): string {
  return cutMessage(wordsIn(data));
}

/** "Validation Failed" alone does not help: the fields that failed are beside it. */
function wordsIn(data: unknown): string {
  const said = Said.safeParse(data);
  if (!said.success) return "";
  const details = said.data.errors.map((error) =>
    typeof error === "string" ? error : (error.message ?? [error.field, error.code].join(" ").trim()),
  );
  const told = details.filter((detail) => detail !== "");
  return told.length === 0 ? said.data.message : `${said.data.message}: ${told.join("; ")}`;
}
