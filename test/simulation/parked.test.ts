import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { createBorder } from "./border.ts";
import { chanceOf } from "./chance.ts";
import { createFigures } from "./figures.ts";
import { parked } from "./parked.ts";
import { createScheduler, newLife, type Scheduler } from "./scheduler.ts";
import type { Weather } from "./weather.ts";

interface Shelf {
  put(thing: string): Promise<string>;
}

const start = instant(0);

/** A worker that puts one thing on a shelf, and dies or stops where it is told to. */
async function putOne(trouble: { readonly dies?: string; readonly stops?: string }) {
  const scheduler = createScheduler(start);
  const figures = createFigures();
  const life = newLife("worker");
  const weather: Weather = {
    name: "calm",
    strikes: () => false,
    forgeFaults: () => null,
    isCrash: (crossing) => crossing === trouble.dies,
    pauseMs: (crossing) => (crossing === trouble.stops ? 90_000 : 0),
    clear: () => undefined,
  };
  const world = {
    scheduler,
    figures,
    weather,
    chance: chanceOf(1),
    onCrash: () => undefined,
    onPause: () => undefined,
  };
  const things: string[] = [];
  const shelf: Shelf = {
    put: async (thing) => {
      things.push(thing);
      return `${thing} is there`;
    },
  };
  const manners = { put: { kind: "write", ms: [5, 10] } } as const;
  const port = parked(shelf, { name: "shelf", border: createBorder(world, life), manners });
  const answers: string[] = [];
  void port.put("book").then((answer) => answers.push(answer));
  await runAll(scheduler);
  return { things, answers, isOver: life.isOver, crashes: figures.counts.crashes };
}

async function runAll(scheduler: Scheduler): Promise<void> {
  while ((await scheduler.step(instant(10 * 60_000))) !== undefined);
}

describe("a call beyond the border", () => {
  it("happens and is answered, some time later", async () => {
    expect(await putOne({})).toMatchObject({ things: ["book"], answers: ["book is there"], isOver: false });
  });

  it("never happens where the worker dies before it", async () => {
    expect(await putOne({ dies: "shelf.put before" })).toMatchObject({ things: [], answers: [], isOver: true });
  });

  it("has happened where the worker dies before the answer", async () => {
    const end = await putOne({ dies: "shelf.put after" });
    expect(end).toMatchObject({ things: ["book"], answers: [], crashes: { "shelf.put after": 1 } });
  });

  it("happens after all where the worker only stood still", async () => {
    expect(await putOne({ stops: "shelf.put before" })).toMatchObject({ things: ["book"], answers: ["book is there"] });
  });
});
