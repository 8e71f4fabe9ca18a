import type { SuppressionMarker } from "#core/commands/description-marker.ts";
import { isObeyed } from "#core/derive/commands.ts";
import type { People } from "#core/derive/people.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SaidCommand, Suppression, SuppressionSource } from "#core/model/situation.ts";

/** Default, then marker, then commands in order of time; the last wins. Computed in each tick, so deletions count. */
export function deriveSuppression(
  seen: Observation,
  context: {
    readonly commands: readonly SaidCommand[];
    readonly people: People;
    readonly marker: SuppressionMarker | null;
  },
): Suppression {
  return suppressionAt(seen, stepsOf(context), seen.observedAt);
}

function suppressionAt(seen: Observation, steps: readonly Step[], at: Instant): Suppression {
  const index = steps.findLastIndex((step) => !isOver(step, at));
  const latest = steps[index];
  if (latest === undefined) return steps.length === 0 ? byDefault(seen) : expired(seen);
  if (latest.kind === "enable") return { kind: "enabled", why: "command", isWriter: latest.isWriter };
  if (latest.forMs === null) return { kind: "disabled", source: latest.source };
  const until = after(latest.at, latest.forMs);
  return { kind: "disabled_until", until, source: latest.source, next: suppressionAt(seen, steps, until) };
}

function isOver(step: Step, at: Instant): boolean {
  return step.kind === "disable" && step.forMs !== null && at >= after(step.at, step.forMs);
}

/** Where reviews are opt-in, an expired suppression must not switch them on. */
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

/** At the same second the command is the later one: a description is written before its comments. */
function stepsOf(context: {
  readonly commands: readonly SaidCommand[];
  readonly people: People;
  readonly marker: SuppressionMarker | null;
}): readonly Step[] {
  const said = context.commands.map(stepOf).filter((step) => step !== null);
  const marker = markerStep(context.marker, context.people);
  if (marker === null) return said;
  return [...said.filter(({ at }) => at < marker.at), marker, ...said.filter(({ at }) => at >= marker.at)];
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

function markerStep(marker: SuppressionMarker | null, people: People): Step | null {
  if (marker === null) return null;
  const source: SuppressionSource = { kind: "description", by: marker.by, isWriter: people.isWriter(marker.by) };
  return { kind: "disable", at: marker.at, forMs: marker.forMs, source };
}

function byDefault(seen: Observation): Suppression {
  return seen.rules.reviews.automatic === "enabled"
    ? { kind: "enabled", why: "repository" }
    : { kind: "disabled", source: { kind: "repository" } };
}
