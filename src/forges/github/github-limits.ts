import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { openPullsMax } from "#ports/forge.ts";

export const githubLimits = {
  /** GitHub itself gives up after ten seconds; the rest is the way there and back. */
  readTimeoutMs: 20 * secondMs,
  /** Ends within the margin of its lease (see `turnLimits`). */
  writeTimeoutMs: 10 * secondMs,
  /** A hundred longest comments have 26 MB, with four bytes a character. */
  answerBytesMax: 32 * 1024 * 1024,
  /** With the first one. Reads only: a write is sent once. */
  readAttemptsMax: 3,
  /** A renamed repository leads to its new name by one. */
  redirectsMax: 3,
  retryWaitMs: secondMs,
  pageSize: 100,
  /** Five thousand entries of a list: more than anybody polls. */
  pagesMax: 50,
  /** Of GraphQL, by attempt: what took more than ten seconds will again. */
  pageSizes: [100, 25, 10],
  /** An hour's token that could end during a call is not used any more. */
  tokenMarginMs: 5 * minuteMs,
  tokensMax: 5_000,
  identityMsMax: hourMs,
  /** So long may a right be believed that was taken away. */
  permissionMsMax: 2 * minuteMs,
  etagsMax: 500,
  permissionsMax: 5_000,
  pushTimesMax: 10_000,
  installationsMax: 5_000,
  openPullsMax,
  /** Many remembered pulls can be asked for at the price of one. */
  repositoriesRememberedMax: 1_000,
  /** A thousand pulls: GitHub would stop a query for more. */
  knownGroupsMax: 10,
  /** By pages, after they were too many for one query. */
  knownRestMs: hourMs,
  /** Newest pulls asked for twice, so that new ones do not push out a known one. */
  openPullsOverlap: 50,
  /** With more than 32 remarks reviews were turned away as "submitted too quickly", even after a long silence. */
  remarksAtOnceMax: 30,
  checkTitleCharactersMax: 255,
  checkSummaryCharactersMax: 65_535,
  statusCharactersMax: 140,
  annotationsPerCallMax: 50,
} as const;
