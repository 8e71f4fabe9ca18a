/**
 * No table changes: a question may have failed, a dispute may be moot or waived and names its answer, and a waiver has a
 * reason. By this migration the version before knows that such rows are not broken.
 */
export const unansweredQuestions = { name: "0011-unanswered-questions", statements: [] } as const;
