import { codeOf } from "#core/error-code.ts";
import { DatabaseError } from "#database/database-error.ts";

const fullCodes: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "53100"]);
const forbiddenCodes: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

export function explainFolderError(folder: string, error: unknown): unknown {
  if (error instanceof DatabaseError) return error;
  const code = codeOf(error);
  if (fullCodes.has(code)) {
    return new DatabaseError("disk_full", `The disk of ${folder} is full. Make room and start again.`, {
      cause: error,
    });
  }
  return forbiddenCodes.has(code)
    ? new DatabaseError(
        "not_writable",
        `Drover cannot write to ${folder} (${code}). Give it a folder that its user may write, with --data.`,
        { cause: error },
      )
    : error;
}
