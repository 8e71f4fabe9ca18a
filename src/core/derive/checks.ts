import type { Check } from "#core/model/conversation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";

export function latestChecks(seen: Observation, head: HeadSha): readonly Check[] {
  const latest = new Map<string, Check>();
  for (const check of seen.checks) {
    if (check.head !== head) continue;
    const key = JSON.stringify([check.source, check.name]);
    const other = latest.get(key);
    if (other === undefined || isLater(check, other)) latest.set(key, check);
  }
  return [...latest.values()];
}

const fromWorst: readonly Check["state"][] = ["failed", "pending", "passed"];

function isLater(check: Check, other: Check): boolean {
  const later = (check.startedAt ?? 0) - (other.startedAt ?? 0);
  if (later !== 0) return later > 0;
  return fromWorst.indexOf(check.state) < fromWorst.indexOf(other.state);
}
