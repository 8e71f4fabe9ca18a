import type { RoleSituation } from "#core/model/situation.ts";
import { isComplete } from "#core/review/coverage.ts";

export function isReadWhole(role: RoleSituation): boolean {
  return role.kind === "completed" && isComplete(role.coverage);
}
