/** No table changes: it tells the version before that payloads with a kind and offers as data are not broken. */
export const kindsAndTerms = { name: "0012-kinds-and-terms", statements: [] } as const;
