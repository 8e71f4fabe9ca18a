import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caps, capNames, capsOf } from "#core/budget/budgets.ts";
import { chooseOffer, dayOf, type OfferRequest } from "#core/budget/choose-offer.ts";
import { formatInstant, instant } from "#core/model/instant.ts";
import { at } from "#testing/makers.ts";

const amount = fc.integer({ min: 0, max: 1_000 });
const anyStanding = fc.record({ spentMicroUsd: amount, reservedMicroUsd: amount });
const anyCap = fc.option(fc.integer({ min: 0, max: 3_000 }));
const anyCaps: fc.Arbitrary<Caps> = fc.record({
  pull: anyCap,
  repositoryDay: anyCap,
  day: anyCap,
  allowsUnpriced: fc.boolean(),
});
const anyChoosing: fc.Arbitrary<OfferRequest> = fc.record({
  caps: anyCaps,
  standing: fc.record({ pull: anyStanding, repositoryDay: anyStanding, day: anyStanding }),
  costs: fc.array(fc.option(amount), { minLength: 1, maxLength: 5 }),
  now: fc.constant(at(0)),
});

/** Written from the other side: what would count against each cap after it. */
function fits({ caps, standing }: OfferRequest, cost: number | null): boolean {
  return capNames.every((name) => {
    const cap = caps[name];
    const { spentMicroUsd, reservedMicroUsd } = standing[name];
    if (cap === null) return true;
    if (cost === null) return caps.allowsUnpriced && spentMicroUsd + reservedMicroUsd < cap;
    return spentMicroUsd + reservedMicroUsd + cost <= cap || cost === 0;
  });
}

const nothing = { spentMicroUsd: 0, reservedMicroUsd: 0 };
const untouched = { pull: nothing, repositoryDay: nothing, day: nothing };

describe("an offer", () => {
  it("is taken where it is the first that fits under every cap", () => {
    fc.assert(
      fc.property(anyChoosing, (choosing) => {
        const choice = chooseOffer(choosing);
        const isFree = capNames.every((name) => choosing.caps[name] === null);
        const first = isFree ? 0 : choosing.costs.findIndex((cost) => fits(choosing, cost));
        expect(choice.kind === "taken" ? choice.index : -1).toBe(first);
      }),
    );
  });

  it("sets aside what it costs, and nothing where nobody knows", () => {
    fc.assert(
      fc.property(anyChoosing, (choosing) => {
        const choice = chooseOffer(choosing);
        fc.pre(choice.kind === "taken");
        expect(choice.costMicroUsd).toBe(choosing.costs[choice.index] ?? 0);
      }),
    );
  });

  it("is refused with a cap that stands against the cheapest one, and with what that cap leaves", () => {
    fc.assert(
      fc.property(anyChoosing, (choosing) => {
        const choice = chooseOffer(choosing);
        fc.pre(choice.kind === "refused" && choice.why === "cap");
        const { spentMicroUsd, reservedMicroUsd } = choosing.standing[choice.cap];
        expect(choice.capMicroUsd).toBe(choosing.caps[choice.cap]);
        expect(choice.leftMicroUsd).toBe(Math.max(0, choice.capMicroUsd - spentMicroUsd - reservedMicroUsd));
        const priced = choosing.costs.filter((cost) => cost !== null);
        expect(choice.wantedMicroUsd).toBe(priced.length === 0 ? null : Math.min(...priced));
        expect(choice.wantedMicroUsd ?? Number.POSITIVE_INFINITY).toBeGreaterThan(choice.leftMicroUsd);
      }),
    );
  });

  it("never lets several who are promised money one after the other go over a cap", () => {
    fc.assert(
      fc.property(
        anyCaps,
        fc.array(fc.array(amount, { minLength: 1, maxLength: 3 }), { maxLength: 30 }),
        (caps, asked) => {
          let reservedMicroUsd = 0;
          for (const costs of asked) {
            const held = { spentMicroUsd: 0, reservedMicroUsd };
            const standing = { pull: held, repositoryDay: held, day: held };
            const choice = chooseOffer({ caps, costs, standing, now: at(0) });
            if (choice.kind === "taken") reservedMicroUsd += choice.costMicroUsd;
          }
          for (const name of capNames) expect(reservedMicroUsd).toBeLessThanOrEqual(caps[name] ?? reservedMicroUsd);
        },
      ),
    );
  });

  it("without a price is refused under a cap, unless the operator allows it", () => {
    const choosing = { standing: untouched, costs: [null], now: at(0) };
    expect(chooseOffer({ ...choosing, caps: capsOf({ dayUsd: 5, allowUnpriced: false }) })).toEqual({
      kind: "refused",
      why: "unpriced",
    });
    const caps = capsOf({ dayUsd: 5, allowUnpriced: true });
    expect(chooseOffer({ ...choosing, caps })).toEqual({ kind: "taken", index: 0, costMicroUsd: 0 });
    const usedUp = { ...untouched, day: { spentMicroUsd: 5_000_000, reservedMicroUsd: 0 } };
    expect(chooseOffer({ ...choosing, caps, standing: usedUp })).toMatchObject({ kind: "refused", cap: "day" });
  });
});

describe("a cap", () => {
  it("for a day is over with the day of UTC, and one for a pull never", () => {
    const now = instant(Date.UTC(2026, 10, 16, 23, 59));
    const choosing = { standing: untouched, costs: [2_000_000], now };
    const byDay = chooseOffer({ ...choosing, caps: capsOf({ repositoryDayUsd: 1, allowUnpriced: false }) });
    expect(byDay).toMatchObject({ cap: "repositoryDay", overAt: instant(Date.UTC(2026, 10, 17)) });
    const byPull = chooseOffer({ ...choosing, caps: capsOf({ pullUsd: 1, allowUnpriced: false }) });
    expect(byPull).toMatchObject({ cap: "pull", overAt: null, leftMicroUsd: 1_000_000 });
  });

  it("begins its day at midnight", () => {
    const { from, until } = dayOf(instant(Date.UTC(2026, 1, 28, 13, 5)));
    expect([from, until].map(formatInstant)).toEqual(["2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z"]);
  });
});
