import { digestOf } from "#core/model/digest.ts";
import type { SessionId } from "#core/model/ids.ts";

/**
 * A session's id may hold anything, the name of a folder may not. Each attempt has a folder of its own: a worker that was
 * thought dead may still be at work in the one before.
 */
export function worktreeName(session: SessionId, attempt: number): string {
  return `session-${digestOf(session)}-${attempt}`;
}
