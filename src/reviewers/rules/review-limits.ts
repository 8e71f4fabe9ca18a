/**
 * What one review reads and says at most. Reaching a limit is told: the file is in the coverage as unread by `size`, and
 * the summary says why. The page docs/rules-reviewer.md lists them.
 */
export const reviewLimits = {
  /** Of one diff; a larger one is not read at all. */
  diffBytesMax: 64 * 1024 * 1024,
  /** Of the part of the diff that is about one file. */
  fileBytesMax: 8 * 1024 * 1024,
  /** A file with a longer added line is not read: no person would either. */
  lineBytesMax: 2 * 1024 * 1024,
  /** Of a file that is read to understand the lines around a change. A larger one is judged by its hunks alone. */
  contextBytesMax: 4 * 1024 * 1024,
  findingsPerRuleAndFileMax: 50,
  findingsPerRuleMax: 200,
} as const;

/**
 * Longer lines are not written by people: rules about code pass over them, those about secrets, conflicts and hidden
 * text do not. Some patterns of the former look at a line several times, so this is also what bounds their time.
 */
export const codeCharactersMax = 2_000;

/** What a finding quotes of one line at most; of a longer line it quotes the part that matters. */
export const quoteCharactersMax = 400;
