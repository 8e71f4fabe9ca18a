import type { Instant } from "#core/model/instant.ts";
import type { ForgeResponse, ForgeResult } from "#forges/forge-response.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";

export interface FailedForgeCall<Headers> {
  readonly what: string;
  readonly isWrite: boolean;
  readonly answer: ForgeResult<Headers>;
}

export interface RefusalReader<Headers> {
  readonly forge: string;
  readonly kindOf: (refusal: ForgeResponse<Headers>) => ForgeErrorKind;
  /** Asked of a limit alone. */
  readonly retryAtOf: (refusal: ForgeResponse<Headers>) => Instant | null;
  readonly messageOf: (data: unknown) => string;
}

/** Only a refusal is a certain no. A read has changed nothing, with any outcome. */
export function callError<Headers>(
  { what, isWrite, answer }: FailedForgeCall<Headers>,
  { forge, kindOf, retryAtOf, messageOf }: RefusalReader<Headers>,
): ForgeError {
  if (answer.kind === "silence") {
    const { why, cause, isUnreached } = answer;
    const isApplied = isWrite ? "unknown" : "no";
    return new ForgeError("unavailable", `${forge} ${what}: ${why}`, { isApplied, cause, isUnreached });
  }
  const kind = kindOf(answer);
  const said = `${answer.status} ${messageOf(answer.data)}`.trimEnd();
  return new ForgeError(kind, `${forge} ${what}: ${said}`, {
    isApplied: isWrite && kind === "unavailable" ? "unknown" : "no",
    retryAt: kind === "rate_limited" ? retryAtOf(answer) : null,
  });
}

/** A write may have happened all the same. */
export function unreadableAnswer(what: string, isWrite: boolean, cause: unknown): ForgeError {
  const message = `${what}: the answer does not read as it should`;
  return new ForgeError("malformed", message, { isApplied: isWrite ? "unknown" : "no", cause });
}

export function kindOfStatus(status: number): ForgeErrorKind {
  return status >= 500 ? "unavailable" : (kinds.get(status) ?? "refused");
}

const kinds: ReadonlyMap<number, ForgeErrorKind> = new Map([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [408, "unavailable"],
  [409, "conflict"],
  [410, "not_found"],
  // Gitea itself has no limits; a proxy before it may.
  [429, "rate_limited"],
]);

export function cutMessage(words: string): string {
  return words.replaceAll(/\s+/g, " ").slice(0, messageCharactersMax);
}

const messageCharactersMax = 300;
