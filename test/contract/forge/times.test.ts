import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { hourMs, instant, secondMs, wholeSecond } from "#core/model/instant.ts";
import { ForgeError } from "#ports/forge.ts";
import { openScene, pushMore, type Scene } from "./scene.ts";
import { fetchSeen, only, type Seen } from "./seen.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

const changes: readonly (readonly [string, (scene: Scene) => Promise<unknown>])[] = [
  ["a comment", ({ rita, pull }) => rita.comment(pull, "Hello.")],
  ["a review", ({ rita, pull }) => rita.review(pull, { event: "approve", body: "Good." })],
  ["a push", (scene) => pushMore(scene)],
  ["an edit of the title", ({ ada, pull }) => ada.editPull(pull, { title: "Better" })],
  ["an edit of the description", ({ ada, pull }) => ada.editPull(pull, { body: "Better." })],
];

describe.each(worlds)("times on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it.each(changes)("of the last change go on with %s", async (_, change) => {
    const { changedAt } = await scene.seen();
    await scene.world.pass(5 * secondMs);
    await change(scene);
    const later = (await scene.seen()).changedAt;
    expect(later).toBeGreaterThan(changedAt);
    expect(later).toBeLessThanOrEqual(scene.world.now());
  });

  it("of the last change stand still while nothing happens", async () => {
    const { changedAt } = await scene.seen();
    await scene.world.pass(90 * secondMs);
    expect((await scene.seen()).changedAt).toBe(changedAt);
  });

  it("of the observation are the forge's, at the beginning of the look", async () => {
    await scene.world.pass(90 * secondMs);
    const before = scene.world.now();
    const { observedAt } = await scene.seen();
    expect(observedAt).toBeGreaterThanOrEqual(wholeSecond(before));
    expect(observedAt).toBeLessThanOrEqual(scene.world.now());
  });

  it.each(having(entry, "time"))("of the observation are not later than a head that was missed", async () => {
    const { world, pull, head, ada, repository } = scene;
    // More than a page, so that every client has something left to ask when it knows the head.
    for (let index = 0; index < 101; index++) await ada.comment(pull, `Comment ${index}.`);
    // What a client asks only once is asked here, so that all looks of the loop take the same way.
    await scene.seen();
    let missed = 0;
    for (let at = 0, requests = 1; at < requests; at++) {
      await ada.forcePush({ repository, branch: "parser", to: head });
      await world.pass(30 * secondMs);
      const { seen, asked } = await lookWhileSomebodyPushes(at);
      requests = asked;
      const { pushedAt } = (await world.look(pull)).pull.head;
      const wasMissed = seen.pull.head.sha === head;
      missed += Number(wasMissed);
      expect(wasMissed ? wholeSecond(seen.observedAt) : 0).toBeLessThanOrEqual(pushedAt ?? 0);
    }
    expect(missed).toBeGreaterThan(0);
  });

  /** Each request takes seconds, and with the one of this index somebody pushes. */
  async function lookWhileSomebodyPushes(at: number): Promise<{ readonly seen: Seen; readonly asked: number }> {
    const { world, people, head } = scene;
    let pushed: Promise<HeadSha> | undefined;
    let asked = 0;
    world.meddle(({ account }) => {
      if (account.id !== people.drover.id) return null;
      void world.pass(5 * secondMs);
      if (asked === at) pushed = pushMore(scene, "src/meanwhile.txt", `${at}\n`);
      asked += 1;
      return null;
    });
    const seen = await scene.seen();
    world.meddle(() => null);
    expect([head, await pushed]).toContain(seen.pull.head.sha);
    return { seen, asked };
  }

  it.each(having(entry, "time"))("of the forge and of the machine are not mixed up", async () => {
    const { world, people, pull } = scene;
    const machine = { now: () => instant(world.now() - 2 * hourMs), sleep: async () => undefined };
    const drover = world.clientOf(people.drover, machine);
    await drover.createComment({ pull, body: "When?" });
    const { observedAt, comments } = await fetchSeen(drover, pull);
    expect([observedAt, only(comments).createdAt].map((at) => wholeSecond(at))).toEqual([
      wholeSecond(world.now()),
      wholeSecond(world.now()),
    ]);
    world.meddle(() => ({ kind: "rate_limited", retryAfterMs: 90 * secondMs }));
    const refused: unknown = await drover.createComment({ pull, body: "More." }).catch((cause: unknown) => cause);
    expect(refused).toMatchObject({ kind: "rate_limited", retryAt: machine.now() + 90 * secondMs });
  });

  it.each(having(entry, "meddling"))(
    "of a pause are not cut short, though the forge counts whole seconds",
    async () => {
      const { world, drover, pull } = scene;
      world.meddle(() => ({ kind: "rate_limited", retryAfterMs: 1_500 }));
      // A real server's clock goes on while it is asked.
      const askedAt = world.now();
      const refused: unknown = await drover.fetchPull(pull).catch((cause: unknown) => cause);
      if (!(refused instanceof ForgeError)) throw new Error("not refused");
      expect(refused.retryAt).toBeGreaterThanOrEqual(askedAt + 1_500);
      expect(refused.retryAt).toBeLessThanOrEqual(world.now() + 2_000);
    },
  );
});
