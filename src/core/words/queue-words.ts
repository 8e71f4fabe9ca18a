/** Why an entry of the queue was set aside that nobody came back from. */
export function crashLoopWords(takeovers: number): string {
  return `whoever worked on it did not come back, ${takeovers} times in a row: it may be what ends the process (memory?)`;
}
