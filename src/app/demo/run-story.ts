import type { DemoEvent } from "#app/demo/demo-event.ts";
import { createNarrator } from "#app/demo/narrator.ts";
import { intervalMs, type SceneScript, scenes, storyPull } from "#app/demo/story.ts";
import { runUntilIdle } from "#app/sandbox-stack/run-until-idle.ts";
import type { SandboxStack } from "#app/sandbox-stack/sandbox-stack.ts";
import { after, formatInstant } from "#core/model/instant.ts";
import type { SandboxChange, SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { TickReport } from "#reconcile/tick.ts";

export type StoryEnding =
  | { readonly kind: "merged"; readonly merged: NonNullable<SandboxPull["merged"]> }
  | { readonly kind: "stuck"; readonly why: string };

/** Lets the scenes happen one after the other, and tells what came of them while it comes. */
export async function runStory(
  town: SandboxStack,
  { reports, tell }: { readonly reports: readonly TickReport[]; readonly tell: (told: DemoEvent) => Promise<void> },
): Promise<StoryEnding> {
  const { clock, sandbox } = town;
  const narrator = createNarrator(town, { reports, tell });
  narrator.skip();
  for (const [index, scene] of scenes.entries()) {
    clock.leapTo(after(clock.now(), intervalMs));
    const { title, watch } = scene;
    await tell({ kind: "scene", number: index + 1, at: formatInstant(clock.now()), title, watch });
    await scene.happen(town);
    await narrator.catchUp();
    const rest = await runUntilIdle(town, {
      lastReport: () => reports.at(-1),
      afterTurn: async () => (isOver(scene, town, await narrator.catchUp()) ? "enough" : "go_on"),
    });
    if (rest.kind === "restless") return { kind: "stuck", why: `in scene ${index + 1}, ${rest.why}.` };
  }
  const { merged, pull } = sandbox.look(storyPull(town));
  return merged === null
    ? { kind: "stuck", why: `the last scene is over, and the pull is ${pull.state}.` }
    : { kind: "merged", merged };
}

function isOver({ endsWith }: SceneScript, { people }: SandboxStack, changes: readonly SandboxChange[]): boolean {
  if (endsWith === "rest") return false;
  return changes.some(({ by, what }) => what.kind === "pushed" && by.id === people.drover.id);
}
