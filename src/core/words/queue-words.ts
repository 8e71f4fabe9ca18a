export function crashLoopWords(takeovers: number): string {
  return `${takeovers} workers in a row crashed while they ran this entry; it may use too much memory`;
}
