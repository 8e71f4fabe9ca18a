import { describe, expect, it } from "vitest";
import { type Caps, capsOf } from "#core/budget/budgets.ts";
import type { Spend } from "#core/budget/spend.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { after, dayMs, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import type { ReserveRequest } from "#ports/spending.ts";
import type { Store } from "#ports/store.ts";
import { at } from "#testing/makers.ts";
import { aSpend } from "#testing/spend-maker.ts";
import { useStores, worlds } from "./worlds.ts";

/**
 * Tests of one file share a database, so each has a year of its own: what is spent on a day is spent by everybody. The
 * years are in the order of the tests, so that what one has set aside has run out for the next.
 */
function yearOf(test: number): Instant {
  return after(at(0), test * 400 * dayMs);
}

/** A pull that no other test knows. */
function placeNamed(name: string, pull = 1): ReserveRequest["place"] {
  return { instance: InstanceId.parse("test"), repository: { id: RepositoryId.parse(name) }, pull };
}

function spendAt(place: ReserveRequest["place"], over: Partial<Spend>): Spend {
  return aSpend({ ...place, repository: { ...place.repository, name: "acme/tools" }, ...over });
}

const noCap: Caps = { pull: null, repositoryDay: null, day: null, allowsUnpriced: false };

interface Asked extends Omit<ReserveRequest, "offers"> {
  readonly costs: readonly (number | null)[];
  readonly until: Instant;
}

function request(place: ReserveRequest["place"], over: Partial<Asked>): Asked {
  const now = over.now ?? at(0);
  return {
    work: "review",
    holder: "a worker",
    place,
    pullSpentMin: 0,
    caps: noCap,
    costs: [100],
    now,
    until: after(now, hourMs),
    ...over,
  };
}

async function reserve(by: Store, { costs, until, ...rest }: Asked): ReturnType<Store["reserve"]> {
  return await by.reserve({ ...rest, offers: costs.map((costMicroUsd) => ({ costMicroUsd, until })) });
}

describe.each(worlds)("what models cost, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  it("is known by the piece of work, each call once however often it is written down", async () => {
    const place = placeNamed("twice");
    const spend = spendAt(place, { id: "twice 1", work: "twice" });
    await store.saveSpend(spend);
    await other.saveSpend(spend);
    await store.saveSpend({ ...spend, costMicroUsd: 999 });
    await other.saveSpend({ ...spend, id: "twice 2", costMicroUsd: 7 });
    expect(await store.findSpent("twice")).toBe(107);
    expect(await store.findSpent("never")).toBe(0);
  });

  it("counts for the pull for ever, and for the day only on that day", async () => {
    const now = yearOf(1);
    const place = placeNamed("days");
    await store.saveSpend(spendAt(place, { id: "days 1", work: "days", costMicroUsd: 600_000, at: now }));
    const ask = async (caps: Partial<Caps>, day: Instant) =>
      (
        await reserve(
          other,
          request(place, { work: "days 2", caps: { ...noCap, ...caps }, costs: [500_000], now: day }),
        )
      ).kind;
    const tomorrow = after(now, dayMs);
    expect(await ask({ day: 1_000_000 }, now)).toBe("refused");
    expect(await ask({ day: 1_000_000 }, tomorrow)).toBe("taken");
    expect(await ask({ repositoryDay: 1_000_000 }, now)).toBe("refused");
    expect(await ask({ repositoryDay: 1_000_000 }, tomorrow)).toBe("taken");
    expect(await ask({ pull: 1_000_000 }, tomorrow)).toBe("refused");
    expect(await ask({ pull: 1_100_000 }, tomorrow)).toBe("taken");
  });

  it("counts for its own pull and repository only", async () => {
    const now = yearOf(2);
    await store.saveSpend(spendAt(placeNamed("mine"), { id: "mine 1", work: "mine", costMicroUsd: 900, at: now }));
    const caps = { ...noCap, pull: 1_000, repositoryDay: 1_500 };
    const ask = async (place: ReserveRequest["place"], work: string) =>
      await reserve(store, request(place, { work, caps, costs: [600], now }));
    expect(await ask(placeNamed("mine"), "mine 2")).toMatchObject({ kind: "refused", cap: "pull", leftMicroUsd: 100 });
    expect(await ask(placeNamed("mine", 2), "mine 3")).toMatchObject({ kind: "taken" });
    expect(await ask(placeNamed("mine", 3), "mine 4")).toMatchObject({ kind: "refused", cap: "repositoryDay" });
    expect(await ask(placeNamed("another"), "mine 5")).toMatchObject({ kind: "taken" });
  });

  it("counts at least what the records of the pull say", async () => {
    const now = yearOf(3);
    const caps = { ...noCap, pull: 1_000 };
    const asked = request(placeNamed("records"), { work: "records", caps, costs: [300], now });
    expect(await reserve(store, { ...asked, pullSpentMin: 800 })).toMatchObject({ kind: "refused", leftMicroUsd: 200 });
    expect(await reserve(store, { ...asked, pullSpentMin: 700 })).toMatchObject({ kind: "taken" });
  });
});

describe.each(worlds)("money that is set aside, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  it("is that of the first offer that fits", async () => {
    const now = yearOf(10);
    const caps = { ...noCap, day: 1_000 };
    const asked = request(placeNamed("offers"), { caps, now });
    expect(await reserve(store, { ...asked, work: "offers 1", costs: [5_000, null, 700, 1] })).toEqual({
      kind: "taken",
      index: 2,
      costMicroUsd: 700,
    });
    expect(await reserve(other, { ...asked, work: "offers 2", costs: [301] })).toMatchObject({ leftMicroUsd: 300 });
    expect(await reserve(other, { ...asked, work: "offers 3", costs: [300] })).toMatchObject({ kind: "taken" });
  });

  it("is set aside once for the same work, as it was asked for last", async () => {
    const now = yearOf(11);
    const caps = { ...noCap, day: 1_000 };
    const asked = request(placeNamed("again"), { work: "again", caps, costs: [900], now });
    for (const by of [store, other, store]) expect(await reserve(by, asked)).toMatchObject({ kind: "taken" });
    expect(await reserve(other, { ...asked, costs: [400] })).toMatchObject({ kind: "taken" });
    expect(await reserve(store, { ...asked, work: "more", costs: [600] })).toMatchObject({ kind: "taken" });
  });

  it("becomes less by each call, so that nothing counts twice", async () => {
    const now = yearOf(12);
    const place = placeNamed("drawn");
    const asked = request(place, { work: "drawn", caps: { ...noCap, day: 1_000 }, costs: [800], now });
    await reserve(store, asked);
    await other.saveSpend(spendAt(place, { id: "drawn 1", work: "drawn", costMicroUsd: 500, at: now }));
    await store.saveSpend(spendAt(place, { id: "drawn 1", work: "drawn", costMicroUsd: 500, at: now }));
    const probe = { ...asked, work: "probe" };
    expect(await reserve(store, { ...probe, costs: [201] })).toMatchObject({ kind: "refused", leftMicroUsd: 200 });
    // A call that costs more than was thought takes what is there, and no less than nothing is left.
    await store.saveSpend(spendAt(place, { id: "drawn 2", work: "drawn", costMicroUsd: 450, at: now }));
    expect(await reserve(store, { ...probe, costs: [51] })).toMatchObject({ kind: "refused", leftMicroUsd: 50 });
    await store.endReservation({ work: "drawn", holder: null });
    expect(await reserve(store, { ...probe, costs: [50] })).toMatchObject({ kind: "taken" });
  });

  it("is free when the work has ended, and when its time has run out", async () => {
    const now = yearOf(13);
    const caps = { ...noCap, day: 1_000 };
    const asked = request(placeNamed("ended"), { work: "ended", caps, costs: [1_000], now });
    const probe = { ...asked, work: "ended probe" };
    await reserve(store, asked);
    expect(await reserve(other, probe)).toMatchObject({ kind: "refused" });
    await store.endReservation({ work: "ended", holder: "a worker" });
    expect(await reserve(other, probe)).toMatchObject({ kind: "taken" });
    const later = after(now, hourMs);
    expect(await reserve(store, { ...asked, now: after(later, -minuteMs), until: later })).toMatchObject({
      kind: "refused",
    });
    // The one that died never says so.
    expect(await reserve(store, { ...asked, now: later, until: after(later, hourMs) })).toMatchObject({
      kind: "taken",
    });
  });

  it("is held for as long as the offer that was taken says", async () => {
    const now = yearOf(14);
    const caps = { ...noCap, day: 1_000 };
    const asked = request(placeNamed("long"), { caps, costs: [1_000], now: after(now, 2 * hourMs) });
    const offers = [
      { costMicroUsd: 5_000, until: after(now, hourMs) },
      { costMicroUsd: 1_000, until: after(now, 26 * hourMs) },
    ];
    const { work, holder, place, pullSpentMin } = asked;
    await store.reserve({ work: `${work} long`, holder, place, pullSpentMin, caps, offers, now });
    expect(await reserve(other, { ...asked, work: "short" })).toMatchObject({ kind: "refused" });
    expect(await reserve(other, { ...asked, work: "short", now: after(now, 26 * hourMs) })).toMatchObject({
      kind: "taken",
    });
  });

  it("is not freed by a worker that somebody else has replaced", async () => {
    const now = yearOf(15);
    const asked = request(placeNamed("replaced"), { work: "replaced", caps: { ...noCap, day: 10 }, costs: [10], now });
    await reserve(store, { ...asked, holder: "the slow one" });
    await reserve(other, { ...asked, holder: "the next one" });
    await store.endReservation({ work: "replaced", holder: "the slow one" });
    expect(await reserve(store, { ...asked, work: "probe of replaced" })).toMatchObject({ kind: "refused" });
    await other.endReservation({ work: "replaced", holder: "the next one" });
    expect(await reserve(store, { ...asked, work: "probe of replaced" })).toMatchObject({ kind: "taken" });
  });

  it("is not lost to the others because the clock of one of them is hours ahead", async () => {
    const now = yearOf(16);
    const asked = request(placeNamed("ahead"), { work: "ahead", caps: { ...noCap, day: 1_000 }, costs: [900], now });
    await reserve(store, asked);
    const ahead = after(now, 5 * hourMs);
    expect(await reserve(other, { ...asked, work: "ahead 2", costs: [1], now: ahead, until: ahead })).toMatchObject({
      kind: "taken",
    });
    expect(await reserve(store, { ...asked, work: "ahead 3", costs: [200] })).toMatchObject({ kind: "refused" });
  });

  it.each([1, 2, 3])("never goes over a cap, however many ask at once (%d)", async (number) => {
    const now = yearOf(20 + number);
    const caps = capsOf({ dayUsd: 0.001, allowUnpriced: false });
    const racers = Array.from({ length: 24 }, (_, racer) => racer);
    const choices = await Promise.all(
      racers.map(async (racer) =>
        reserve(
          racer % 2 === 0 ? store : other,
          request(placeNamed(`race ${number}`, 1 + (racer % 3)), {
            work: `race ${number} ${racer}`,
            caps,
            costs: [130 + racer, 60],
            now,
          }),
        ),
      ),
    );
    const promised = choices.map((choice) => (choice.kind === "taken" ? choice.costMicroUsd : 0));
    const sum = promised.reduce((total, one) => total + one, 0);
    expect(sum).toBeLessThanOrEqual(1_000);
    // Nobody was turned away while there was room for the smaller of the two.
    expect(sum).toBeGreaterThan(1_000 - 60);
  });
});
