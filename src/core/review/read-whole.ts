import type { RoleSituation } from "#core/model/situation.ts";
import { isComplete } from "#core/review/coverage.ts";

/** The role has read the head, and everything of it that was to be read. */
export function isReadWhole(role: RoleSituation): boolean {
  return role.kind === "completed" && isComplete(role.coverage);
}
