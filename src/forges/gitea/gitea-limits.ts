import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { openPullsMax } from "#ports/forge.ts";

/** How long, how much and how often Gitea is asked. */
export const giteaLimits = {
  readTimeoutMs: 30 * secondMs,
  /** A write has to end within the margin of the lease that it is made under, with all that is asked on the way to it. */
  writeTimeoutMs: 10 * secondMs,
  /** The comments of a pull come in one answer, and the remarks of a review, however many there are. */
  answerBytesMax: 64 * 1024 * 1024,
  /** The first one included. Reads only: a write is sent once. */
  readAttemptsMax: 3,
  /** Doubles with each attempt. */
  retryWaitMs: secondMs,
  /** Gitea's own limit, unless its operator set another (`MAX_RESPONSE_ITEMS`). */
  pageSize: 50,
  /**
   * Smaller limits are not used in practice. If the server does not tell its limit, a page counts as this many rows.
   */
  pageSizeMin: 10,
  /** Pages in a row that hold nothing for us, with more behind them. */
  emptyPagesMax: 20,
  /** How often a list is begun again that others take things out of. */
  listAttemptsMax: 4,
  /**
   * Rows that the timeline may lack without anybody telling: remarks of reviews that others have not submitted yet,
   * mentions in repositories that we may not see. Behind more of them it is read on only for what is known to be there.
   */
  hiddenRowsMax: 40,
  /** The search ends after so many more. Anybody can make thousands, and a known entry may have been deleted. */
  hiddenRowsReadMax: 1_000,
  redirectsMax: 3,
  /** Which server it is, and what it can do. */
  probeMsMax: hourMs,
  identityMsMax: hourMs,
  /** Rights that were taken away may be believed in for this long. */
  permissionMsMax: 2 * minuteMs,
  permissionsMax: 5_000,
  /** Teams with the right to write in which a person is searched. */
  teamsMax: 50,
  openPullsMax,
  /** Of how many open pulls reactions and statuses are asked for in one look over a repository; the others have their turn next. */
  openPullsAskedMax: 100,
  /** How many requests are under way at a time for one look. */
  requestsAtOnceMax: 4,
  repositoriesRememberedMax: 1_000,
  /** "No" just after a push means that Gitea has not looked yet: a queue does it, within seconds unless much is going on. */
  mergeCheckMsMax: 30 * secondMs,
  pullsRememberedMax: 10_000,
  threadsRememberedMax: 20_000,
  labelsMax: 5_000,
  statusCharactersMax: 4_000,
} as const;
