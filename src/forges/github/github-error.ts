import { z } from "zod";
import { readRate, readRetryAt } from "#forges/github/github-headers.ts";
import type { Answer, Answered } from "#forges/github/github-transport.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";

export interface FailedCall {
  /** `acme/tools#12: create comment`. */
  readonly what: string;
  readonly isWrite: boolean;
  readonly answer: Answer;
}

/** Only a refusal is a certain no; a read, whatever became of it, has changed nothing. */
export function forgeError({ what, isWrite, answer }: FailedCall): ForgeError {
  const kind = kindOf(answer);
  const isCertain = !isWrite || kind !== "unavailable";
  return new ForgeError(kind, `github ${what}: ${wordsOf(answer)}`, {
    isApplied: isCertain ? "no" : "unknown",
    retryAt: answer.kind === "answered" && kind === "rate_limited" ? readRetryAt(answer) : null,
    cause: answer.kind === "silence" ? answer.cause : undefined,
  });
}

/** An answer that does not read as it should: a write may have happened all the same. */
export function malformed(what: string, isWrite: boolean, cause: unknown): ForgeError {
  const message = `github ${what}: the answer does not read as it should`;
  return new ForgeError("malformed", message, { isApplied: isWrite ? "unknown" : "no", cause });
}

export function isSuccess(answer: Answer): answer is Answered {
  return answer.kind === "answered" && answer.status < 400 && answer.status !== 304;
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

function kindOf(answer: Answer): ForgeErrorKind {
  if (answer.kind === "silence") return "unavailable";
  if (isRateLimit(answer)) return "rate_limited";
  if (answer.status < 500) return kinds.get(answer.status) ?? "refused";
  return "unavailable";
}

/**
 * GitHub says 403 for "not you" and for "not now". A header tells them apart most of the time; of a secondary limit that
 * comes without one, only the address of its documentation and its words do.
 */
function isRateLimit(answer: Answered): boolean {
  if (answer.status === 429) return true;
  if (answer.status !== 403) return false;
  if (answer.headers["retry-after"] !== undefined || readRate(answer)?.left === 0) return true;
  const said = Said.safeParse(answer.data);
  return said.success && /rate[- ]limit/i.test(`${said.data.documentation_url} ${said.data.message}`);
}

const Said = z.object({ message: z.string().catch(""), documentation_url: z.string().catch("") });

/** GitHub's own words, for people: cut, and on one line. */
export function messageOf(data: unknown): string {
  const said = Said.safeParse(data);
  const words = said.success ? said.data.message : "";
  return words.replaceAll(/\s+/g, " ").slice(0, messageCharactersMax);
}

const messageCharactersMax = 300;

function wordsOf(answer: Answer): string {
  return answer.kind === "silence" ? "no answer" : `${answer.status} ${messageOf(answer.data)}`.trimEnd();
}
