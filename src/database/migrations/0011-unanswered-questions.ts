/** No table changes: it tells the version before that failed questions and moot disputes are not broken. */
export const unansweredQuestions = { name: "0011-unanswered-questions", statements: [] } as const;
