import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyStep, headOf, live, type Remembered, remember } from "./life.ts";
import { openScene } from "./scene.ts";
import { bodiesOf, type Seen } from "./seen.ts";
import { worlds } from "./worlds.ts";

/** A seen pull and a remembered one in the same words. */
function inWords({ pull, comments, reviews, threads, reactions, checks }: Seen): unknown {
  return {
    title: String(pull.title),
    head: pull.head.sha,
    comments: comments.map(({ id, body }) => `${id} ${body}`).sort(),
    reviews: reviews.map(({ id, state, body }) => `${id} ${state} ${body}`).sort(),
    said: bodiesOf(threads.flatMap((thread) => thread.comments)),
    reactions: reactions.map(({ content }) => content).sort(),
    checks: checks.map(({ name, state, head }) => `${name} ${state} ${head}`).sort(),
  };
}

function rememberedInWords(past: Remembered): unknown {
  const head = headOf(past);
  return {
    title: past.titles.at(-1),
    head,
    comments: [...past.comments].map(([id, body]) => `${id} ${body}`).sort(),
    reviews: [...past.reviews].map(([id, { state, body }]) => `${id} ${state} ${body}`).sort(),
    said: [...past.said].sort(),
    reactions: [...past.reactions].sort(),
    checks: [...(past.checks.get(head) ?? [])].map(([name, state]) => `${name} ${state} ${head}`).sort(),
  };
}

describe.each(worlds)("any life of a pull on $name", (entry) => {
  it("is seen as it was lived, and its time never goes back", async () => {
    const lives = fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
      const scene = await openScene(entry);
      const past = remember(scene);
      let { changedAt, observedAt } = await scene.seen();
      for (const [index, step] of steps.entries()) {
        await live(scene, past, step, index);
        const seen = await scene.seen();
        expect(inWords(seen)).toEqual(rememberedInWords(past));
        expect(seen.changedAt).toBeGreaterThanOrEqual(changedAt);
        expect(seen.observedAt).toBeGreaterThanOrEqual(observedAt);
        expect(seen.observedAt).toBeLessThanOrEqual(scene.world.now());
        ({ changedAt, observedAt } = seen);
      }
      await scene.world.close();
    });
    await fc.assert(lives, { numRuns: entry.lacks.time === undefined ? 40 : 3 });
  });
});
