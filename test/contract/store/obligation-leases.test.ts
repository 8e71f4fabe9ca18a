import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, type Instant } from "#core/model/instant.ts";
import type { Lease, ObligationChange, ObligationKey } from "#ports/store.ts";
import { at } from "#testing/makers.ts";
import { pullNamed, type Stores, someObligation } from "./world.ts";
import { useStores, worlds } from "./worlds.ts";

/** What workers do, each with the token that it took last. Time passes only where it says so. */
type Step =
  | { readonly kind: "lease"; readonly worker: number; readonly leaseMs: number }
  | { readonly kind: "change"; readonly worker: number }
  | { readonly kind: "extend"; readonly worker: number }
  | { readonly kind: "give_back"; readonly worker: number }
  | { readonly kind: "pass"; readonly ms: number };

const worker = fc.integer({ min: 0, max: 2 });
const someStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("lease"), worker, leaseMs: fc.constantFrom(1, 10, 100) }),
  fc.record({ kind: fc.constantFrom("change", "extend", "give_back"), worker }),
  fc.record({ kind: fc.constant("pass"), ms: fc.constantFrom(1, 9, 50) }),
);

describe.each(worlds)("leases on an obligation, in $name", (world) => {
  let stores: Stores;
  useStores(world, (opened) => {
    stores = opened;
  });

  it("let one worker at a time change it, and one that lost its own changes nothing, however they interleave", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 1, maxLength: 40, size: "max" }), async (steps) => {
        const { key } = await stores[0].ensureObligation(someObligation(pullNamed(`leases ${runs++}`)));
        const { told, expected } = await play({ stores, key, steps });
        expect(told).toEqual(expected);
      }),
      { numRuns: world.runs(200) },
    );
  });
});

interface Play {
  readonly stores: Stores;
  readonly key: ObligationKey;
  readonly steps: readonly Step[];
}

/** What the store answered at each step, and what it should have: there is one lease, and its token alone opens. */
async function play({ stores, key, steps }: Play): Promise<{ readonly told: unknown[]; readonly expected: unknown[] }> {
  const told: unknown[] = [];
  const expected: unknown[] = [];
  const tokens = new Map<number, string>();
  let now: Instant = at(0);
  const row: { lease: Lease | null; attempts: number } = { lease: null, attempts: 0 };
  for (const [index, step] of steps.entries()) {
    if (step.kind === "pass") {
      now = after(now, step.ms);
      continue;
    }
    const store = stores[step.worker % 2 === 0 ? 0 : 1];
    if (step.kind === "lease") {
      const lease = { token: `token ${index}`, until: after(now, step.leaseMs) };
      const isFree = row.lease === null || row.lease.until <= now;
      told.push((await store.leaseObligation({ key, lease, now })) === null ? "held" : "leased");
      expected.push(isFree ? "leased" : "held");
      if (isFree) row.lease = lease;
      if (isFree) tokens.set(step.worker, lease.token);
    } else {
      const token = tokens.get(step.worker) ?? "never taken";
      const isHolder = row.lease?.token === token;
      const change = changeOf(step.kind, { index, lease: { token, until: after(now, 20) } });
      told.push(await store.changeObligation({ key, token, change }));
      expected.push(isHolder ? "changed" : "lost");
      if (isHolder) Object.assign(row, change);
    }
    const found = await store.findObligation(key);
    told.push({ lease: found?.lease, attempts: found?.attempts });
    expected.push({ ...row });
  }
  return { told, expected };
}

function changeOf(
  kind: "change" | "extend" | "give_back",
  { index, lease }: { readonly index: number; readonly lease: Lease },
): Pick<ObligationChange, "attempts" | "lease"> {
  if (kind === "change") return { attempts: index };
  return { lease: kind === "extend" ? lease : null };
}
