import { derive } from "#core/derive/derive.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Gate } from "#core/model/situation.ts";

export function unaskedGate(seen: Observation): Gate {
  const { records } = seen;
  const runs = records.runs.filter(({ trigger }) => trigger.kind === "automatic");
  const found = new Set(runs.flatMap(({ state }) => (state.kind === "completed" ? state.findings : [])));
  const findings = records.findings.filter(({ id }) => found.has(id));
  return derive({ ...seen, records: { ...records, runs, findings } }).gate;
}
