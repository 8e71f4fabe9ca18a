import type { DemoEvent } from "#app/demo/demo-event.ts";
import { never } from "#core/never.ts";

export interface DemoScene {
  readonly number: number;
  readonly at: string;
  readonly title: string;
  readonly happened: readonly Omit<Extract<DemoEvent, { readonly kind: "happened" }>, "kind">[];
  readonly looks: readonly Omit<Extract<DemoEvent, { readonly kind: "looked" }>, "kind">[];
  readonly wrote: readonly Omit<Extract<DemoEvent, { readonly kind: "wrote" }>, "kind">[];
}

export function groupIntoScenes(told: readonly DemoEvent[]): readonly DemoScene[] {
  const scenes: DemoScene[] = [];
  for (const one of told) {
    const last = scenes.pop();
    if (last !== undefined) scenes.push(one.kind === "scene" ? last : withEvent(last, one));
    if (one.kind === "scene") {
      const { number, at, title } = one;
      scenes.push({ number, at, title, happened: [], looks: [], wrote: [] });
    }
  }
  return scenes;
}

function withEvent(scene: DemoScene, told: Exclude<DemoEvent, { readonly kind: "scene" }>): DemoScene {
  switch (told.kind) {
    case "happened": {
      const { kind: _, ...event } = told;
      return { ...scene, happened: [...scene.happened, event] };
    }
    case "looked": {
      const { kind: _, ...look } = told;
      return { ...scene, looks: [...scene.looks, look] };
    }
    case "wrote": {
      const { kind: _, ...written } = told;
      return { ...scene, wrote: [...scene.wrote, written] };
    }
    default:
      return never(told);
  }
}
