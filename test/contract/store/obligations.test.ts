import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { type ObligationState, obligationKeyOf, type Store } from "#ports/store.ts";
import { at, sha } from "#testing/makers.ts";
import { frozen, pullNamed, someObligation } from "./world.ts";
import { useStores, worlds } from "./worlds.ts";

const states: readonly ObligationState[] = frozen([
  { kind: "ready", notBefore: at(3), refusal: "the forge said 422" },
  { kind: "sending", since: at(1) },
  { kind: "unknown", since: at(1), settleAt: at(2) },
  { kind: "done", result: "c9", at: at(2), isNoted: false },
  { kind: "done", result: null, at: at(2), isNoted: true },
]);

describe.each(worlds)("obligations, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  it("are made ready, unsent, without a text and in nobody's hands", async () => {
    const made = someObligation(pullNamed("made"));
    const expected = {
      ...made,
      state: { kind: "ready", notBefore: null, refusal: null },
      lease: null,
      text: null,
      attempts: 0,
    };
    expect(await store.findObligation(made.key)).toBeUndefined();
    expect(await store.ensureObligation(made)).toEqual(expected);
    expect(await other.findObligation(made.key)).toEqual(expected);
  });

  it("are made once: a second maker is told of the first one's, as it is by now", async () => {
    const pull = pullNamed("made twice");
    const made = someObligation(pull);
    await store.ensureObligation(made);
    await store.leaseObligation({ key: made.key, lease: { token: "t1", until: at(5) }, now: at(1) });
    const state = { kind: "sending", since: at(1) } as const;
    const change = { state, text: "Because of the parser.", attempts: 1 };
    await store.changeObligation({ key: made.key, token: "t1", change });
    const again = await other.ensureObligation(someObligation(pull, { head: sha(2), kind: "reply", createdAt: at(9) }));
    expect(again).toEqual({ ...made, ...change, lease: { token: "t1", until: at(5) } });
    expect(await store.listObligations(pull)).toEqual([again]);
  });

  it("are made once by workers that make them at the same time", async () => {
    const pull = pullNamed("made in a race");
    const made = await Promise.all(
      [1, 2, 3, 4].map(async (minute) =>
        (minute % 2 === 0 ? store : other).ensureObligation(someObligation(pull, { createdAt: at(minute) })),
      ),
    );
    expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(1);
    expect(await store.listObligations(pull)).toHaveLength(1);
  });

  it("are listed by pull in the order in which they were made, whatever the clocks said", async () => {
    const pull = pullNamed("listed");
    const minutes = [5, 1, 9, 3];
    for (const minute of minutes) {
      await store.ensureObligation(someObligation(pull, { effect: `answer/c${minute}`, createdAt: at(minute) }));
      const elsewhere = someObligation(pullNamed("listed elsewhere"), { effect: `answer/c${minute}` });
      await store.ensureObligation(elsewhere);
    }
    const first = { key: obligationKeyOf(pull, "answer/c5"), token: "t1" };
    await store.leaseObligation({ ...first, lease: { token: "t1", until: at(5) }, now: at(1) });
    await store.changeObligation({ ...first, change: { attempts: 1 } });
    const listed = await other.listObligations(pull);
    expect(listed.map(({ effect }) => effect)).toEqual(minutes.map((minute) => `answer/c${minute}`));
    expect(await other.listObligations(pullNamed("listed nowhere"))).toEqual([]);
  });

  it("are open while they may be on their way or arrive late, and until the records say what became of them", async () => {
    const pull = pullNamed("open");
    await store.ensureObligation(someObligation(pull, { effect: "untouched" }));
    for (const [index, state] of states.entries()) {
      const { key } = await store.ensureObligation(someObligation(pull, { effect: `effect ${index}` }));
      await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(1) });
      await store.changeObligation({ key, token: "t1", change: { state, lease: null } });
    }
    const found = await other.findOpenObligations(pull);
    expect(found.map(({ state }) => state)).toEqual([states[1], states[2], states[3]]);
    const key = obligationKeyOf(pull, "effect 0");
    await store.leaseObligation({ key, lease: { token: "t2", until: at(5) }, now: at(1) });
    await store.changeObligation({ key, token: "t2", change: { attempts: 1, lease: null } });
    const withTried = await other.findOpenObligations(pull);
    expect(withTried.map(({ state }) => state)).toEqual([states[0], states[1], states[2], states[3]]);
    expect(await other.findOpenObligations(pullNamed("open nowhere"))).toEqual([]);
  });

  it("are changed in the named parts alone", async () => {
    const made = someObligation(pullNamed("parts"));
    await store.ensureObligation(made);
    const lease = { token: "t1", until: at(5) };
    await store.leaseObligation({ key: made.key, lease, now: at(1) });
    const state = states[2];
    if (state === undefined) throw new Error("no state");
    for (const change of [{ text: "Yes." }, { attempts: 2 }, { state }, {}]) {
      expect(await store.changeObligation({ key: made.key, token: "t1", change })).toBe("changed");
    }
    expect(await other.findObligation(made.key)).toEqual({ ...made, lease, text: "Yes.", attempts: 2, state });
  });

  it("stay as they were told for whoever was told before a change", async () => {
    const pull = pullNamed("told before");
    const made = await store.ensureObligation(someObligation(pull));
    const listed = await store.listObligations(pull);
    const copy = structuredClone(made);
    await store.leaseObligation({ key: made.key, lease: { token: "t1", until: at(5) }, now: at(1) });
    await store.changeObligation({ key: made.key, token: "t1", change: { attempts: 7 } });
    await store.ensureObligation(someObligation(pull, { effect: "another" }));
    expect(made).toEqual(copy);
    expect(listed).toEqual([copy]);
  });

  it("cannot be leased or changed where there is none", async () => {
    const key = obligationKeyOf(pullNamed("none"), "answer/c1");
    expect(await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(1) })).toBeNull();
    expect(await store.changeObligation({ key, token: "t1", change: { attempts: 1 } })).toBe("lost");
    expect(await store.findObligation(key)).toBeUndefined();
  });

  it.each(states)("can be leased as $kind: what that means the ledger decides", async (state) => {
    const { key } = await store.ensureObligation(
      someObligation(pullNamed("any state"), { effect: JSON.stringify(state) }),
    );
    await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(1) });
    await store.changeObligation({ key, token: "t1", change: { state } });
    const leased = await other.leaseObligation({ key, lease: { token: "t2", until: at(9) }, now: at(5) });
    expect(leased).toMatchObject({ state, lease: { token: "t2", until: at(9) } });
  });

  it("are held until the very moment at which the lease ends", async () => {
    const { key } = await store.ensureObligation(someObligation(pullNamed("last moment")));
    await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(1) });
    const lease = { token: "t2", until: at(9) };
    expect(await other.leaseObligation({ key, lease, now: instant(at(5) - 1) })).toBeNull();
    expect(await other.leaseObligation({ key, lease, now: at(5) })).toMatchObject({ lease });
  });

  it("are held by one of those who reach for them at the same time", async () => {
    const { key } = await store.ensureObligation(someObligation(pullNamed("lease race")));
    const leased = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const lease = { token: `t${n}`, until: at(5) };
        return (n % 2 === 0 ? store : other).leaseObligation({ key, lease, now: at(1) });
      }),
    );
    const [winner, ...others] = leased.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(await store.findObligation(key)).toEqual(winner);
  });

  it("may be given back, held longer, and changed after the lease ran out as long as nobody took it", async () => {
    const { key } = await store.ensureObligation(someObligation(pullNamed("given back")));
    const t1 = { key, token: "t1" };
    await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(1) });
    expect(await store.changeObligation({ ...t1, change: { lease: { token: "t1", until: at(8) } } })).toBe("changed");
    expect(await other.leaseObligation({ key, lease: { token: "t2", until: at(9) }, now: at(7) })).toBeNull();
    expect(await store.changeObligation({ ...t1, change: { lease: null } })).toBe("changed");
    expect(await store.changeObligation({ ...t1, change: { attempts: 1 } })).toBe("lost");
    expect(await other.leaseObligation({ key, lease: { token: "t2", until: at(9) }, now: at(7) })).not.toBeNull();
  });
});
