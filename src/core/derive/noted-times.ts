import { readMarker, type SuppressionMarker } from "#core/commands/description-marker.ts";
import type { NotedTimes } from "#core/decision/action.ts";
import type { SaidCommand } from "#core/decision/situation.ts";
import { isObeyed } from "#core/derive/commands.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { MarkerSeen } from "#core/model/records.ts";

export interface TimesSeen {
  /** `disable-reviews` in the description, with the time at which it counts. */
  readonly marker: SuppressionMarker | null;
  /** Since when it is no draft any more; null while it is one, and where it never was seen as one. */
  readonly readySince: Instant | null;
  /** What the records do not say yet; null where they say all of it. */
  readonly toRecord: NotedTimes | null;
}

/** Times that Drover can only know by having looked, since the forge does not tell them. */
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

/**
 * Where the forge does not tell when the description was edited, the marker counts from the look that first saw it: one
 * that is put back after `enable-reviews` counts again. A command that the same look sees for the first time may be older or
 * newer than the marker. It counts as newer, because its time is known and it is about to be acknowledged. At the first
 * look of all, the marker is as old as the pull for the same reason.
 */
function markerSeen(
  seen: Observation,
  commands: readonly SaidCommand[],
): { readonly marker: SuppressionMarker | null; readonly toRecord: MarkerSeen | null } {
  const found = readMarker(seen.pull, seen.rules.handle);
  if (seen.capabilities.tellsBodyEdits) return { marker: found, toRecord: null };
  const known = seen.records.marker;
  if (found === null) return { marker: null, toRecord: known?.kind === "absent" ? null : { kind: "absent" } };
  // Another duration is another marker, since its time starts anew.
  if (known?.kind === "present" && known.forMs === found.forMs) {
    return { marker: { ...found, at: known.at }, toRecord: null };
  }
  const at = known === undefined ? found.at : firstOf(seen.observedAt, commands.filter(isNewSwitch));
  return { marker: { ...found, at }, toRecord: { kind: "present", at, forMs: found.forMs } };
}

/** A command that switches reviews on or off, obeyed by this look for the first time. */
function isNewSwitch(said: SaidCommand): boolean {
  const isSwitch = said.command.word === "enable-reviews" || said.command.word === "disable-reviews";
  return isSwitch && said.standing.kind === "fresh" && isObeyed(said);
}

/** The time of the look, or that of the earliest of the commands. */
function firstOf(look: Instant, commands: readonly SaidCommand[]): Instant {
  return commands.reduce((first, { at }) => (at < first ? at : first), look);
}

function readySeen({ pull, records, observedAt }: Observation): { since: Instant | null; isNew: boolean } {
  const known = records.readySince;
  if (pull.isDraft) return { since: null, isNew: known !== null };
  return known === null ? { since: observedAt, isNew: true } : { since: known ?? null, isNew: false };
}
