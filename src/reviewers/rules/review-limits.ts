/** Reached limits are told: coverage `size` and the summary. docs/rules-reviewer.md lists them. */
export const reviewLimits = {
  /** A larger diff is not read at all. */
  diffBytesMax: 64 * 1024 * 1024,
  fileBytesMax: 8 * 1024 * 1024,
  /** No person would read it either. */
  lineBytesMax: 2 * 1024 * 1024,
  /** A larger file is judged by its hunks alone. */
  contextBytesMax: 4 * 1024 * 1024,
  findingsPerRuleAndFileMax: 50,
  findingsPerRuleMax: 200,
} as const;

/** No person writes longer lines: rules about code skip them. Bounds their time, since some look at a line several times. */
export const codeCharactersMax = 2_000;

/** Of a longer line the part that matters is quoted. */
export const quoteCharactersMax = 400;
