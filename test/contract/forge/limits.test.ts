import { describe, expect, it } from "vitest";
import { type LimitName, limits } from "#core/model/limits.ts";
import { openScene, remarks, type Scene } from "./scene.ts";
import { only, type Seen } from "./seen.ts";
import { worldsWith } from "./worlds.ts";

interface Filling {
  readonly limit: LimitName;
  readonly fill: (scene: Scene, count: number) => Promise<void>;
  readonly count: (seen: Seen) => number;
}

/** The lists that fill within a second. Comments and reviews take the same way, and several seconds. */
const fillings: readonly Filling[] = [
  {
    limit: "threadsMax",
    fill: async ({ rita, pull }, count) => {
      const many = Array.from({ length: count }, (_, index) => ({ ...remarks.added, body: `${index}` }));
      await rita.review(pull, { event: "comment", body: "Much to say.", remarks: many });
    },
    count: ({ threads }) => threads.length,
  },
  {
    limit: "threadCommentsMax",
    fill: async ({ rita, ada, pull, world }, count) => {
      await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.added] });
      const { id } = only((await world.look(pull)).threads);
      await repeat(count - 1, (index) => ada.reply(pull, id, `${index}`));
    },
    count: ({ threads }) => only(threads).comments.length,
  },
  {
    limit: "reactionsMax",
    fill: async ({ world, pull, repository }, count) =>
      repeat(count, async (index) => {
        const account = await world.addAccount({ login: `reader-${index}`, kind: "person" });
        await world.setPermission({ repository, account, permission: "read" });
        await world.as(account).react(pull, "heart");
      }),
    count: ({ reactions }) => reactions.length,
  },
  {
    limit: "checksMax",
    fill: async ({ rita, repository, head }, count) =>
      repeat(count, (index) => rita.report({ repository, commit: head, name: `check-${index}`, state: "passed" })),
    count: ({ checks }) => checks.length,
  },
];

describe.each(worldsWith("thousands"))("limits on $name", (entry) => {
  it.each(fillings)("$limit cuts the list and is named", async ({ limit, fill, count }) => {
    const scene = await openScene(entry);
    await fill(scene, limits[limit] + 1);
    const seen = await scene.seen();
    expect(seen.limitsReached).toEqual([limit]);
    expect(count(seen)).toBe(limits[limit]);
    await scene.world.close();
  });
});

async function repeat(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await act(index);
}
