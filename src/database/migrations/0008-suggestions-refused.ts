/** No table changes: it tells the version before that stored work with refused suggestions is not broken. */
export const suggestionsRefused = { name: "0008-suggestions-refused", statements: [] } as const;
