import type { Told } from "#app/demo/told.ts";
import { never } from "#core/never.ts";

/** One thing that happened, and everything that followed from it. */
export interface SceneTold {
  readonly number: number;
  readonly at: string;
  readonly title: string;
  readonly happened: readonly Omit<Extract<Told, { readonly kind: "happened" }>, "kind">[];
  readonly looks: readonly Omit<Extract<Told, { readonly kind: "looked" }>, "kind">[];
  readonly wrote: readonly Omit<Extract<Told, { readonly kind: "wrote" }>, "kind">[];
}

/** The same for machines: what is told one by one, gathered by scene. */
export function scenesOf(told: readonly Told[]): readonly SceneTold[] {
  const scenes: SceneTold[] = [];
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

function withEvent(scene: SceneTold, told: Exclude<Told, { readonly kind: "scene" }>): SceneTold {
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
