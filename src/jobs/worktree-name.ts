import { digestOf } from "#core/model/digest.ts";
import type { SessionId } from "#core/model/ids.ts";

/** A session's id may hold anything, the name of a folder may not. The same session has the same folder after a crash. */
export function worktreeName(session: SessionId): string {
  return `session-${digestOf(session)}`;
}
