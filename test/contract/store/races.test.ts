import { describe, expect, it } from "vitest";
import { after, hourMs, instant, instantMax } from "#core/model/instant.ts";
import type { Store } from "#ports/store.ts";
import { at, sha } from "#testing/makers.ts";
import { pullNamed, someContent, someObligation } from "./world.ts";
import { useStores, worlds } from "./worlds.ts";

const racersMax = 24;
/** One race proves little: who comes first differs from time to time. */
const races = [1, 2, 3];

describe.each(worlds)("workers who do the same thing at once, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  /** Everybody starts before anybody is served; half of them at each store. */
  async function race<Result>(run: (by: Store, racer: number) => Promise<Result>): Promise<readonly Result[]> {
    const racers = Array.from({ length: racersMax }, (_, racer) => racer);
    return await Promise.all(racers.map(async (racer) => run(racer % 2 === 0 ? store : other, racer)));
  }

  it.each(races)("save one pull once for each version (%d)", async (number) => {
    const pull = pullNamed(`race ${number}`);
    for (const expectedVersion of [0, 1]) {
      const outcomes = await race(async (by, racer) => {
        const content = someContent(100 * expectedVersion + racer);
        return { content, outcome: await by.savePull({ pull, content, expectedVersion }) };
      });
      const saved = outcomes.filter(({ outcome }) => outcome === "saved");
      expect(saved).toHaveLength(1);
      expect(await store.findPull(pull)).toEqual({ ...saved[0]?.content, version: expectedVersion + 1 });
    }
  });

  it.each(races)("make one obligation and are all told of it (%d)", async (number) => {
    const pull = pullNamed(`race ${number}`);
    const told = await race(async (by, racer) =>
      by.ensureObligation(someObligation(pull, { kind: `kind ${racer}`, createdAt: at(racer) })),
    );
    const listed = await store.listObligations(pull);
    expect(listed).toHaveLength(1);
    expect(new Set(told.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(listed[0])]));
  });

  it("make different obligations of a pull without losing any", async () => {
    const pull = pullNamed("race of many");
    const made = await race(async (by, racer) =>
      by.ensureObligation(someObligation(pull, { effect: `effect ${racer}` })),
    );
    const listed = await store.listObligations(pull);
    expect(new Set(listed)).toEqual(new Set(made));
    expect(listed).toHaveLength(racersMax);
  });

  it.each(races)("lease an obligation to one of them (%d)", async (number) => {
    const { key } = await store.ensureObligation(someObligation(pullNamed(`lease race ${number}`)));
    for (const minute of [0, 10]) {
      const leases = await race(async (by, racer) =>
        by.leaseObligation({ key, lease: { token: `${minute} ${racer}`, until: at(minute + 10) }, now: at(minute) }),
      );
      const held = leases.filter((leased) => leased !== null);
      expect(held).toHaveLength(1);
      expect(await store.findObligation(key)).toEqual(held[0]);
    }
  });

  it.each(races)("lose no part of an obligation that another changes (%d)", async (number) => {
    const { key } = await store.ensureObligation(someObligation(pullNamed(`parts race ${number}`)));
    await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(0) });
    const state = { kind: "ready", notBefore: at(1), refusal: "no" } as const;
    const lease = { token: "t1", until: at(9) };
    const changes = [{ text: "Yes." }, { attempts: 3 }, { state }, { lease }];
    const told = await race(async (by, racer) =>
      by.changeObligation({ key, token: "t1", change: changes[racer % changes.length] ?? {} }),
    );
    expect(new Set(told)).toEqual(new Set(["changed"]));
    const found = await store.findObligation(key);
    expect(found).toMatchObject({ text: "Yes.", attempts: 3, state, lease });
    // That it may arrive late follows from two parts, each changed by somebody else.
    expect(await other.findOpenObligations(pullNamed(`parts race ${number}`))).toEqual([found]);
  });

  it.each(races)("change nothing of an obligation that was taken from them meanwhile (%d)", async (number) => {
    const { key } = await store.ensureObligation(someObligation(pullNamed(`taken race ${number}`)));
    await store.leaseObligation({ key, lease: { token: "slow", until: at(5) }, now: at(0) });
    const told = await race(async (by, racer) => {
      if (racer === racersMax / 2) {
        const taken = await by.leaseObligation({ key, lease: { token: "next", until: at(9) }, now: at(5) });
        return { text: taken?.text, outcome: "taken" };
      }
      const text = `text ${racer}`;
      return { text, outcome: await by.changeObligation({ key, token: "slow", change: { text } }) };
    });
    const found = await store.findObligation(key);
    const taken = told.find(({ outcome }) => outcome === "taken");
    // Whoever took it was told all that was changed before, and nothing was changed after.
    expect(found).toMatchObject({ text: taken?.text, lease: { token: "next", until: at(9) } });
    const changed = told.filter(({ outcome }) => outcome === "changed").map(({ text }) => text);
    expect(changed.length === 0 ? [null] : changed).toContain(found?.text);
  });

  it.each(races)("get write turns one gap apart, none left out and none given twice (%d)", async (number) => {
    const request = {
      instance: `turns ${number}`,
      now: at(0),
      gapMs: 1000,
      aheadMsMax: hourMs,
      noLaterThan: instant(instantMax),
    };
    const turns = await race(async (by) => by.reserveWriteSlot(request));
    const expected = turns.map((_, index) => after(at(0), 1000 * index));
    expect(turns.toSorted((left, right) => (left ?? 0) - (right ?? 0))).toEqual(expected);
  });

  it.each(races)("get no more write turns than fit, and the others leave no trace (%d)", async (number) => {
    const request = {
      instance: `fitting ${number}`,
      now: at(0),
      gapMs: 1000,
      aheadMsMax: hourMs,
      noLaterThan: after(at(0), 5000),
    };
    const turns = await race(async (by) => by.reserveWriteSlot(request));
    const given = turns.filter((turn) => turn !== null);
    expect(given.toSorted((left, right) => left - right)).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => after(at(0), 1000 * index)),
    );
    expect(await store.reserveWriteSlot({ ...request, noLaterThan: after(at(0), 6000) })).toBe(after(at(0), 6000));
  });

  it.each(races)("agree on what a step answered (%d)", async (number) => {
    const name = { job: `race ${number}`, step: "ask" };
    const told = await race(async (by, racer) => by.saveStep(name, { racer }));
    expect(new Set(told.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify(await store.findStep(name))]),
    );
  });

  it.each(races)("save a step that others forget, and are told of an answer all the same (%d)", async (number) => {
    const name = { job: `forgotten race ${number}`, step: "ask" };
    const answers = await race(async (by, racer) =>
      racer % 3 === 0 ? by.forgetSteps(name.job) : by.saveStep(name, `answer ${racer}`),
    );
    const told = answers.filter((_, racer) => racer % 3 !== 0);
    for (const answer of told) expect(answer).toMatch(/^answer \d+$/);
  });

  it.each(races)("leave the latest of their pauses (%d)", async (number) => {
    const instance = `race ${number}`;
    // All minutes in an order that is neither up nor down: 7 and the number of racers have no common divisor.
    await race(async (by, racer) => by.extendPause({ instance, until: at(1 + ((racer * 7) % racersMax)) }));
    expect(await store.findPause({ instance, now: at(0) })).toBe(at(racersMax));
  });

  it.each(races)("leave one wish for the gate, and a whole one (%d)", async (number) => {
    const pull = pullNamed(`wish race ${number}`);
    const repository = `wish race ${number}`;
    await race(async (by, racer) =>
      by.saveDesiredGate(pull, { repository, head: sha(racer % 3), state: "failure", words: `words ${racer % 3}` }),
    );
    const found = await Promise.all(
      [0, 1, 2].map(async (head) => store.findDesiredGates({ repository, head: sha(head) })),
    );
    const wishes = found.flatMap((of, head) => of.map((wish) => ({ wish, head })));
    expect(wishes.map(({ wish }) => wish)).toEqual(
      wishes
        .slice(0, 1)
        .map(({ head }) => ({ pull, repository, head: sha(head), state: "failure", words: `words ${head}` })),
    );
    expect(wishes).toHaveLength(1);
  });
});
