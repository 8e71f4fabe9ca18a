import type { Account } from "#core/model/account.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { type Caller, call, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { readUser } from "#forges/gitea/gitea-map.ts";
import { GiteaUser } from "#forges/gitea/gitea-schema.ts";

export type FetchBot = (how: ReadingManner) => Promise<Account>;

/** Kept for an hour. */
export function createFetchBot(caller: Caller): FetchBot {
  let kept: { readonly bot: Account; readonly until: Instant } | undefined;
  return async (how) => {
    if (kept !== undefined && caller.clock.now() < kept.until) return kept.bot;
    const user = await call(caller, {
      ...how,
      where: "identity",
      name: "look up the user",
      method: "GET",
      path: "/user",
      shape: GiteaUser,
    });
    const bot = readUser(user);
    kept = { bot, until: after(caller.clock.now(), giteaLimits.identityMsMax) };
    return bot;
  };
}
