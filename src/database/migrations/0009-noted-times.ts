/**
 * No table changes: the records of a pull say when its marker was first seen, since when it is ready for review, and which
 * feedback was told. By this migration the version before knows that such a row is not broken.
 */
export const notedTimes = { name: "0009-noted-times", statements: [] } as const;
