import { toUsageError, UsageError } from "#cli/terminal.ts";
import { visibleLine } from "#core/terminal/visible-text.ts";

/** The message about a wrong call may quote names of files and commits. */
export function visibleError(error: unknown): unknown {
  const told = toUsageError(error);
  if (!(told instanceof UsageError)) return told;
  return new UsageError(told.message.split("\n").map(visibleLine).join("\n"), { cause: error });
}
