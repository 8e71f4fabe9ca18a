import type { ActionOf } from "#core/model/action.ts";
import type { ActionKey } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";

export function planEscalation(
  seen: Observation,
  escalation: { readonly key: ActionKey; readonly severity: "info" | "warning" | "blocking"; readonly text: string },
): readonly ActionOf<"escalate">[] {
  if (seen.records.escalations.includes(escalation.key)) return [];
  return [{ kind: "escalate", ...escalation, to: seen.rules.humans }];
}
