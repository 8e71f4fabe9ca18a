/**
 * Constant messages, to be counted. Never fails or waits. No secrets; others' texts only as `core/words/plain-text.ts`
 * cuts.
 */
export interface Log {
  info(facts: LogFacts, message: string): void;
  warn(facts: LogFacts, message: string): void;
  error(facts: LogFacts, message: string): void;
}

export type LogFacts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The same log with facts on every line; a line's own facts win. */
export function withFacts(log: Log, facts: LogFacts): Log {
  return {
    info: (more, message) => log.info({ ...facts, ...more }, message),
    warn: (more, message) => log.warn({ ...facts, ...more }, message),
    error: (more, message) => log.error({ ...facts, ...more }, message),
  };
}
