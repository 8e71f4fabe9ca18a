/**
 * What operators read. The message is constant and the facts are fields, so that lines can be counted. Writing never
 * fails and never waits. No field may hold a secret or the text of others beyond what `core/words/plain-text.ts` has cut.
 */
export interface Log {
  info(facts: LogFacts, message: string): void;
  warn(facts: LogFacts, message: string): void;
  error(facts: LogFacts, message: string): void;
}

export type LogFacts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The same log with facts on every line: which forge, which turn, which request. What a line itself says holds. */
export function withFacts(log: Log, facts: LogFacts): Log {
  return {
    info: (more, message) => log.info({ ...facts, ...more }, message),
    warn: (more, message) => log.warn({ ...facts, ...more }, message),
    error: (more, message) => log.error({ ...facts, ...more }, message),
  };
}
