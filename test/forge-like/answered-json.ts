/** JSON that a test looks into at will. What is not there is undefined, and fails where it is compared. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place; a schema here would judge what the tests judge.
export type AnsweredJson = any;
