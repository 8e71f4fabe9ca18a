import { errorText } from "#core/error-text.ts";
import type { SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { note, type World } from "./world.ts";

/** Something that somebody does. What the forge alone cannot tell about it is noted as a fact. */
export type Deed = (world: World) => Promise<void>;

/** One of the pulls that are open, as it really is. */
export function openPull(world: World): { readonly ref: PullRef; readonly seen: SandboxPull } | undefined {
  const open = world.pulls
    .map((ref) => ({ ref, seen: world.sandbox.look(ref) }))
    .filter(({ seen }) => seen.pull.state === "open");
  return open.length === 0 ? undefined : world.chance.pick(open);
}

/** People try things that the forge does not allow; they shrug. */
export async function tryTo(world: World, words: string, act: () => Promise<void>): Promise<void> {
  note(world, words);
  try {
    await act();
  } catch (error) {
    world.figures.sight("the forge did not allow it");
    note(world, `  but it is not allowed: ${errorText(error)}`);
  }
}
