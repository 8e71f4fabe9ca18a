import { readMarker, type SuppressionMarker } from "#core/commands/description-marker.ts";
import { isObeyed } from "#core/derive/commands.ts";
import type { NotedTimes } from "#core/model/action.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { MarkerSeen } from "#core/model/records.ts";
import type { SaidCommand } from "#core/model/situation.ts";

export interface TimesSeen {
  readonly marker: SuppressionMarker | null;
  readonly readySince: Instant | null;
  readonly toRecord: NotedTimes | null;
}

export function deriveTimes(seen: Observation, commands: readonly SaidCommand[]): TimesSeen {
  const marker = markerSeen(seen, commands);
  const ready = readySeen(seen);
  const toRecord: NotedTimes = {
    ...(marker.toRecord === null ? {} : { marker: marker.toRecord }),
    ...(ready.isNew ? { readySince: ready.since } : {}),
  };
  return {
    marker: marker.marker,
    readySince: ready.since,
    toRecord: Object.keys(toRecord).length === 0 ? null : toRecord,
  };
}

/** Without edit times a marker counts from the look that first saw it. A command of that look counts as newer. */
function markerSeen(
  seen: Observation,
  commands: readonly SaidCommand[],
): { readonly marker: SuppressionMarker | null; readonly toRecord: MarkerSeen | null } {
  const found = readMarker(seen.pull, seen.rules.handle);
  if (seen.capabilities.tellsBodyEdits) return { marker: found, toRecord: null };
  const known = seen.records.marker;
  if (found === null) return { marker: null, toRecord: known?.kind === "absent" ? null : { kind: "absent" } };
  // Another duration is another marker: its time starts anew.
  if (known?.kind === "present" && known.forMs === found.forMs) {
    return { marker: { ...found, at: known.at }, toRecord: null };
  }
  const at = known === undefined ? found.at : firstOf(seen.observedAt, commands.filter(isNewSwitch));
  return { marker: { ...found, at }, toRecord: { kind: "present", at, forMs: found.forMs } };
}

function isNewSwitch(said: SaidCommand): boolean {
  const isSwitch = said.command.word === "enable-reviews" || said.command.word === "disable-reviews";
  return isSwitch && said.standing.kind === "fresh" && isObeyed(said);
}

function firstOf(look: Instant, commands: readonly SaidCommand[]): Instant {
  return commands.reduce((first, { at }) => (at < first ? at : first), look);
}

function readySeen({ pull, records, observedAt }: Observation): { since: Instant | null; isNew: boolean } {
  const known = records.readySince;
  if (pull.isDraft) return { since: null, isNew: known !== null };
  return known === null ? { since: observedAt, isNew: true } : { since: known ?? null, isNew: false };
}
