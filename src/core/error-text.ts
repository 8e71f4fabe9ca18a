/** Anything can be thrown; what is no error is told as it is. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
