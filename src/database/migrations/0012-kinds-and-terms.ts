/**
 * No table changes: the job that clears up after a run has a kind in its payload, and the step of a chosen batch has the
 * terms of its offer as data. By this migration the version before knows that such rows are not broken.
 */
export const kindsAndTerms = { name: "0012-kinds-and-terms", statements: [] } as const;
