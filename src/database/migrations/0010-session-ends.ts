/** No table changes: it tells the version before that records with ends of sessions are not broken. */
export const sessionEnds = { name: "0010-session-ends", statements: [] } as const;
