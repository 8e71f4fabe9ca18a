import { StartError } from "#app/serve/block-secret-file.ts";
import { codeOf } from "#core/error-code.ts";
import { errorText } from "#core/error-text.ts";
import { DatabaseError } from "#database/database-error.ts";
import { GitError } from "#ports/git.ts";

/** What an operator can do something about is told in one line. Everything else is a bug and stays what it is. */
export function explainStart(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof GitError) {
    return new StartError(error.message, { cause: error });
  }
  // Of the system or of PostgreSQL; both say in their message what was tried.
  if (codeOf(error) === undefined) return error;
  return new StartError(`the server cannot start: ${errorText(error)}`, { cause: error });
}
