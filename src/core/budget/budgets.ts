import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/** A cap above this is a typing mistake. */
const usdMax = 1_000_000;
const usd = z.number("expected dollars, such as 2.5").nonnegative().max(usdMax);

/** What is not named has no cap. Days are those of UTC. */
export const Budgets = z.strictObject({
  pullUsd: usd.optional(),
  repositoryDayUsd: usd.optional(),
  /** Over all forges. */
  dayUsd: usd.optional(),
  /** The caps then do not see the cost of these models. */
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
