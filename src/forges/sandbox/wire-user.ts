import type { Account } from "#core/model/account.ts";
import type { WireUser } from "#forges/sandbox/wire.ts";
import type { World } from "#forges/sandbox/world.ts";

export function wireUser({ quirks }: World, { id, login, kind }: Account): WireUser {
  return { id, login, type: quirks.hidesAccountKinds ? undefined : kind === "bot" ? "Bot" : "User" };
}
