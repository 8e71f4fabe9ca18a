/**
 * No table changes: the stored work of a session names the suggestions that it refused. By this migration the version
 * before knows that such a row is not broken.
 */
export const suggestionsRefused = { name: "0008-suggestions-refused", statements: [] } as const;
