import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { openPullsMax } from "#ports/forge.ts";

export const giteaLimits = {
  readTimeoutMs: 30 * secondMs,
  /** With its looks it ends within the margin of its lease. */
  writeTimeoutMs: 10 * secondMs,
  /** The comments of a pull come in one answer, and the remarks of a review, however many there are. */
  answerBytesMax: 64 * 1024 * 1024,
  /** With the first one. Reads only: a write is sent once. */
  readAttemptsMax: 3,
  retryWaitMs: secondMs,
  /** Gitea's own limit, unless its operator set another (`MAX_RESPONSE_ITEMS`). */
  pageSize: 50,
  /** A page of a server that does not tell its limit: smaller ones are not used in practice. */
  pageSizeMin: 10,
  /** Pages in a row that hold nothing for us, with more behind them. */
  emptyPagesMax: 20,
  /** New starts of a list from which others take entries. */
  listAttemptsMax: 4,
  /** Rows that we may not see: others' pending remarks, mentions elsewhere. Beyond it, only known entries are sought. */
  hiddenRowsMax: 40,
  /** Then the search ends: anybody can make thousands, and a known entry may have been deleted. */
  hiddenRowsReadMax: 1_000,
  redirectsMax: 3,
  probeMsMax: hourMs,
  identityMsMax: hourMs,
  /** So long may a right be believed that was taken away. */
  permissionMsMax: 2 * minuteMs,
  permissionsMax: 5_000,
  teamsMax: 50,
  openPullsMax,
  /** For reactions and statuses, in one look over a repository; the others have their turn next. */
  openPullsAskedMax: 100,
  requestsAtOnceMax: 4,
  repositoriesRememberedMax: 1_000,
  /** "No" just after a push means not checked yet: a queue does it, within seconds unless busy. */
  mergeCheckMsMax: 30 * secondMs,
  pullsRememberedMax: 10_000,
  threadsRememberedMax: 20_000,
  labelsMax: 5_000,
  statusCharactersMax: 4_000,
} as const;
