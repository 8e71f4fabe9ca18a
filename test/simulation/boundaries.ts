import { onceKinds, stateKinds } from "#act/effect.ts";
import { forgeWrites } from "#ports/forge.ts";

/** Every place at which a worker can die while it makes an effect: over a full run each must have been the last of one. */
export const boundaries: readonly string[] = [
  // No effect changes labels.
  ...forgeWrites.filter((method) => method !== "editLabels").flatMap((method) => bothSides(`forge.${method}`)),
  ...onceKinds.flatMap((kind) => [
    ...bothSides(`store.ensureObligation ${kind}`),
    ...bothSides(`store.leaseObligation ${kind}`),
    ...bothSides(`store.changeObligation text ${kind}`),
    ...bothSides(`store.changeObligation sending ${kind}`),
    ...bothSides(`store.changeObligation done ${kind}`),
  ]),
  ...stateKinds.flatMap((kind) => [
    ...bothSides(`store.ensureObligation ${kind}`),
    ...bothSides(`store.leaseObligation ${kind}`),
    ...bothSides(`store.changeObligation sending ${kind}`),
    ...bothSides(`store.changeObligation done ${kind}`),
  ]),
  ...bothSides("store.savePull"),
  ...bothSides("store.saveStep"),
  ...["tick", "talk", "review", "session"].flatMap((name) => [
    ...bothSides(`queue.put ${name}`),
    ...bothSides(`queue.finish ${name}`),
    ...bothSides(`queue.retry ${name}`),
  ]),
  ...bothSides("queue.cancel review"),
  ...bothSides("queue.putAll"),
  ...bothSides("queue.claim"),
  ...bothSides("queue.extend"),
  ...bothSides("git.push"),
  ...bothSides("notifier.notify"),
];

function bothSides(point: string): readonly string[] {
  return [`${point} before`, `${point} after`];
}

/** In each life one of them is aimed at, besides what chance does: else the rare ones would never be met. */
export function targetOf(seed: number): { readonly crossing: string; readonly time: number } {
  const crossing = boundaries[seed % boundaries.length] ?? "";
  return { crossing, time: 1 + (Math.floor(seed / boundaries.length) % 3) };
}
