import { z } from "zod";
import type { Data } from "#core/model/data.ts";

const daysMax = 36_500;
const days = z.number().int().max(daysMax);

/** After how many days closed pulls and cost records are deleted. */
export const Retention = z.strictObject({
  /**
   * After that, a pull that comes back to life is read from Drover's own notes on it, as with a lost database. A week, since
   * what was ordered of a provider before a pull ended is followed, and paid for, for days.
   */
  endedPullsDays: days.min(7).default(90),
  /** What calls to models have cost. Caps of a day need the day before, and people the year. */
  spendsDays: days.min(2).default(400),
});
export type Retention = Data<typeof Retention>;
