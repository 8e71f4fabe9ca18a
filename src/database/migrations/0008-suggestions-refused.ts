/**
 * No table changes: what is kept of a session's work names the suggestions that it refused, and by this migration the
 * version before knows that such a row is not broken.
 */
export const suggestionsRefused = { name: "0008-suggestions-refused", statements: [] } as const;
