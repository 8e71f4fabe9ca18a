/**
 * No table changes: records of sessions tell when they ended, what they left open and what their remarks meant, and a command
 * may have had nothing to do. By this migration the version before knows that such rows are not broken.
 */
export const sessionEnds = { name: "0010-session-ends", statements: [] } as const;
