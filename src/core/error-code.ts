/** Node's errors of the system, and those of both database drivers, carry a code. */
export function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** For a sentence that says already what failed: `EACCES` is shorter than the message, which says it once more. */
export function codeOrText(error: unknown): string {
  return codeOf(error) ?? String(error);
}
