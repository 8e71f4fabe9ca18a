export class StartError extends Error {
  override readonly name = "StartError";
}

export function isStartError(error: unknown): error is Error {
  return error instanceof StartError;
}

/** By name, so that a command line that opens no database does not load the modules that declare them. */
const databaseErrors: ReadonlySet<string> = new Set(["DatabaseError", "DumpError"]);

export function isStartOrDatabaseError(error: unknown): error is Error {
  return isStartError(error) || (error instanceof Error && databaseErrors.has(error.name));
}
