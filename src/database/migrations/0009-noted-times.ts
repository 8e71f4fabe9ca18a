/** No table changes: it tells the version before that records with the new times and told feedback are not broken. */
export const notedTimes = { name: "0009-noted-times", statements: [] } as const;
