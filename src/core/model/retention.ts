import { z } from "zod";
import type { Data } from "#core/model/data.ts";

const daysMax = 36_500;
const days = z.number().int().max(daysMax);

export const Retention = z.strictObject({
  /** A revived pull is read from its own notes. A week, since work ordered of a provider is paid for days later. */
  endedPullsDays: days.min(7).default(90),
  /** Caps of a day need the day before, and people the year. */
  spendsDays: days.min(2).default(400),
});
export type Retention = Data<typeof Retention>;
