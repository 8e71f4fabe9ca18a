import type { Account } from "#core/model/account.ts";
import { type Instant, minuteMs } from "#core/model/instant.ts";
import type { World } from "#forges/sandbox/world.ts";

export function takeWrite({ quirks, writes }: World, account: Account, at: Instant): { readonly waitMs: number } {
  const { writesPerMinuteMax } = quirks;
  if (writesPerMinuteMax === null) return { waitMs: 0 };
  const recent = (writes.get(account.id) ?? []).filter((earlier) => earlier > at - minuteMs);
  const [oldest] = recent;
  if (recent.length >= writesPerMinuteMax) return { waitMs: oldest === undefined ? minuteMs : oldest + minuteMs - at };
  writes.set(account.id, [...recent, at]);
  return { waitMs: 0 };
}
