import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/** A cap above this is no cap but a typing mistake. */
const usdMax = 1_000_000;
const usd = z.number("expected dollars, such as 2.5").nonnegative().max(usdMax);

/** What models may cost, as the operator says. What is not named has no cap. Days are those of UTC. */
export const Budgets = z.strictObject({
  /** One pull, from opened to merged. */
  pullUsd: usd.optional(),
  /** One repository on one day. */
  repositoryDayUsd: usd.optional(),
  /** All of this installation on one day, over all forges. */
  dayUsd: usd.optional(),
  /** Models with an unknown price may be asked although there is a cap; the cap then does not see their cost. */
  allowUnpriced: z.boolean().default(false),
});
export type Budgets = Data<typeof Budgets>;

export const capNames = ["pull", "repositoryDay", "day"] as const;
export type CapName = (typeof capNames)[number];

/** Millionths of a dollar; null where there is no cap. */
export interface Caps extends Readonly<Record<CapName, number | null>> {
  readonly allowsUnpriced: boolean;
}

const microPerUsd = 1_000_000;

export function capsOf({ pullUsd, repositoryDayUsd, dayUsd, allowUnpriced }: Budgets): Caps {
  return {
    pull: microOf(pullUsd),
    repositoryDay: microOf(repositoryDayUsd),
    day: microOf(dayUsd),
    allowsUnpriced: allowUnpriced,
  };
}

export function isCapped(caps: Caps): boolean {
  return capNames.some((name) => caps[name] !== null);
}

function microOf(dollars: number | undefined): number | null {
  return dollars === undefined ? null : Math.round(dollars * microPerUsd);
}
