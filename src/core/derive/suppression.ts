import { readMarker } from "#core/commands/description-marker.ts";
import { isObeyed } from "#core/derive/commands.ts";
import type { People } from "#core/derive/people.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SaidCommand, Suppression, SuppressionSource } from "#core/model/situation.ts";

/**
 * Whether heads are reviewed by themselves: repository default, then the marker in the description at the time it came
 * in, then the commands in order of time; the last one wins. Rebuilt on each look, so that a deleted comment or an
 * edited description is seen.
 */
export function deriveSuppression(
  seen: Observation,
  context: { readonly commands: readonly SaidCommand[]; readonly people: People },
): Suppression {
  const latest = latestStep(seen, context);
  if (latest === null) return byDefault(seen);
  if (latest.kind === "enable") return { kind: "enabled", why: "command", isWriter: latest.isWriter };
  if (latest.forMs === null) return { kind: "disabled", source: latest.source };
  const until = after(latest.at, latest.forMs);
  return seen.observedAt >= until ? expired(seen) : { kind: "disabled_until", until, source: latest.source };
}

/** Where reviews are opt-in, a suppression that ran out must not have switched them on. */
function expired(seen: Observation): Suppression {
  const usual = byDefault(seen);
  return usual.kind === "enabled" ? { kind: "enabled", why: "expired" } : usual;
}

type Step =
  | { readonly kind: "enable"; readonly at: Instant; readonly isWriter: boolean }
  | {
      readonly kind: "disable";
      readonly at: Instant;
      readonly forMs: number | null;
      readonly source: SuppressionSource;
    };

function latestStep(
  seen: Observation,
  context: { readonly commands: readonly SaidCommand[]; readonly people: People },
): Step | null {
  const said = context.commands.findLast((one) => stepOf(one) !== null);
  const step = said === undefined ? null : stepOf(said);
  const marker = markerStep(seen, context.people);
  if (step === null || marker === null) return step ?? marker;
  // At the same second the command is the later one: a description is written before its comments.
  return marker.at > step.at ? marker : step;
}

function stepOf(said: SaidCommand): Step | null {
  if (!isObeyed(said) || said.command.kind === "malformed") return null;
  if (said.command.word === "enable-reviews") return { kind: "enable", at: said.at, isWriter: said.isWriter };
  if (said.command.word !== "disable-reviews") return null;
  const source: SuppressionSource = {
    kind: "command",
    by: said.by.id,
    isWriter: said.isWriter,
    comment: said.comment,
  };
  return { kind: "disable", at: said.at, forMs: said.command.forMs, source };
}

function markerStep(seen: Observation, people: People): Step | null {
  const marker = readMarker(seen.pull, seen.rules.handle);
  if (marker === null) return null;
  const source: SuppressionSource = { kind: "description", by: marker.by, isWriter: people.isWriter(marker.by) };
  return { kind: "disable", at: marker.at, forMs: marker.forMs, source };
}

function byDefault(seen: Observation): Suppression {
  return seen.rules.reviews.automatic === "enabled"
    ? { kind: "enabled", why: "repository" }
    : { kind: "disabled", source: { kind: "repository" } };
}
