import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { openPullsMax } from "#ports/forge.ts";

/** How long, how much and how often GitHub is asked. */
export const githubLimits = {
  /** GitHub itself gives up after ten seconds; the rest is the way there and back. */
  readTimeoutMs: 20 * secondMs,
  /** A write has to end within the margin of the lease that it is made under (`turnLimits` says how that adds up). */
  writeTimeoutMs: 10 * secondMs,
  /** A page of a hundred comments of the greatest length has 26 MB at most, if every character takes four bytes. */
  answerBytesMax: 32 * 1024 * 1024,
  /** The first one included. Reads only: a write is sent once. */
  readAttemptsMax: 3,
  /** A renamed repository leads to its new name by one. */
  redirectsMax: 3,
  /** Doubles with each attempt. */
  retryWaitMs: secondMs,
  /** What GraphQL and REST give at most. */
  pageSize: 100,
  /** Of one list of REST: five thousand entries, more than anybody polls. */
  pagesMax: 50,
  /** What GraphQL is asked for at the first, second and third attempt: what took more than ten seconds will again. */
  pageSizes: [100, 25, 10],
  /** A token of an installation is good for an hour; one that could end during a call is not used any more. */
  tokenMarginMs: 5 * minuteMs,
  /** Of repositories times kinds of calls. */
  tokensMax: 5_000,
  identityMsMax: hourMs,
  /** Rights that were taken away may be believed in for this long. */
  permissionMsMax: 2 * minuteMs,
  /** Answers kept with their ETag, over all tokens. */
  etagsMax: 500,
  permissionsMax: 5_000,
  pushTimesMax: 10_000,
  installationsMax: 5_000,
  openPullsMax,
  /** Repositories whose open pulls are remembered, so that many of them can be asked for at the price of one. */
  repositoriesRememberedMax: 1_000,
  /** A thousand pulls: more in one query is asking for it to be stopped. */
  knownGroupsMax: 10,
  /** For how long pulls are asked for page by page after they were too many for one query. */
  knownRestMs: hourMs,
  /** Of the newest pulls as many are asked for twice, so that new ones do not push a known one out of sight. */
  openPullsOverlap: 50,
  /** With more than 32 remarks reviews were turned away as "submitted too quickly", even after a long silence. */
  remarksAtOnceMax: 30,
  checkTitleCharactersMax: 255,
  checkSummaryCharactersMax: 65_535,
  statusCharactersMax: 140,
  annotationsPerCallMax: 50,
} as const;
