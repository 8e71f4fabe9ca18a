import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { after } from "#core/model/instant.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { openScene, remarks, type Scene } from "./scene.ts";
import { fetchSeen } from "./seen.ts";
import { forgeErrorOf, spoil, type Trouble, troublesOn } from "./trouble.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

const reads: readonly { readonly method: keyof Forge; readonly fetch: (scene: Scene) => Promise<unknown> }[] = [
  { method: "fetchPull", fetch: ({ drover, pull }) => drover.fetchPull(pull) },
  { method: "fetchRepository", fetch: ({ drover, repository }) => drover.fetchRepository(repository.name) },
  { method: "fetchOpenPulls", fetch: ({ drover, repository }) => drover.fetchOpenPulls(repository) },
  {
    method: "fetchPermission",
    fetch: ({ drover, repository, people }) => drover.fetchPermission({ repository, account: people.rita }),
  },
];

describe.each(worlds)("a read that goes wrong on $name", (entry) => {
  // Reads leave the forge as it is: one that is filled serves them all, each with a client that has seen nothing yet.
  let filled: Scene;
  let scene: Scene;
  beforeAll(async () => {
    filled = await openScene(entry);
    await fill(filled);
  });
  beforeEach(() => {
    const { world, people, pull } = filled;
    const drover = world.clientOf(people.drover);
    scene = { ...filled, drover, seen: () => fetchSeen(drover, pull) };
  });
  afterAll(() => filled.world.close());

  function spoilt(
    fetch: (scene: Scene) => Promise<unknown>,
    how: { fault: Trouble["fault"]; index: number; isLasting?: boolean },
  ) {
    return spoil({ world: scene.world, by: scene.people.drover, ...how }, () => fetch(scene));
  }

  for (const { method, fetch } of reads) {
    for (const trouble of troublesOn(entry)) {
      it.each(having(entry, "meddling"))(
        `${method}: says so, and shows no part for the whole, on ${trouble.name} that lasts`,
        async () => {
          const now = scene.world.now();
          let index = 0;
          for (; ; index++) {
            const made = await spoilt(fetch, { fault: trouble.fault, index, isLasting: true });
            expect(made.requests.some(({ isWrite }) => isWrite)).toBe(false);
            if (made.hit === undefined) break;
            const { kind, retryAt } = forgeErrorOf(made);
            expect({ kind, retryAt }).toEqual({
              kind: trouble.kind,
              retryAt: trouble.retryAfterMs === null ? null : after(now, trouble.retryAfterMs),
            });
          }
          expect(index).toBeGreaterThan(0);
        },
      );
    }
  }

  // Whether a client asks again by itself is its own affair.
  it.each(having(entry, "meddling"))("fetchPull: says so or shows the whole, on trouble that passes", async () => {
    const { observedAt: _, ...whole } = await scene.drover.fetchPull(scene.pull);
    for (const { fault } of troublesOn(entry)) {
      for (let index = 0; ; index++) {
        let seen: unknown;
        const made = await spoilt(
          async ({ drover, pull }) => {
            const { observedAt: __, ...found } = await drover.fetchPull(pull);
            seen = found;
          },
          { fault, index },
        );
        if (made.hit === undefined) break;
        const isSaid = made.outcome.kind === "failed" && made.outcome.error instanceof ForgeError;
        expect(isSaid ? whole : seen).toEqual(whole);
      }
    }
  });

  // It comes last: what it adds stays.
  it.each(having(entry, "meddling"))("fetchPull: turns the pages, each a request of its own", async () => {
    // What a client asks only once is asked here.
    await scene.seen();
    const { requests } = await spoilt(({ drover, pull }) => drover.fetchPull(pull), {
      fault: { kind: "lost_response" },
      index: 1_000,
    });
    const before = requests.length;
    for (let index = 0; index < 400; index++) await scene.ada.comment(scene.pull, `More ${index}.`);
    const again = await spoilt(({ drover, pull }) => drover.fetchPull(pull), {
      fault: { kind: "lost_response" },
      index: 1_000,
    });
    expect(again.requests.length).toBeGreaterThan(before);
  });
});

/** Something in every list, and more than a page of comments: each of them is a request that can fail. */
async function fill({ rita, ada, pull, repository, head }: Scene): Promise<void> {
  for (let index = 0; index < 101; index++) await ada.comment(pull, `Comment ${index}.`);
  await rita.review(pull, { event: "request_changes", body: "Hm.", remarks: [remarks.added, remarks.range] });
  await rita.react(pull, "eyes");
  await rita.report({ repository, commit: head, name: "build", state: "passed" });
}
