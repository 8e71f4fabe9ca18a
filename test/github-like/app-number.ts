import type { Account } from "#core/model/account.ts";
import type { AppState } from "#github-like/app-state.ts";

/** Beyond those of installed Apps. */
const strangersBase = 700_000;

/** An App and its bot have different ids. Bots that no App was installed for get one all the same. */
export function appNumber({ apps }: AppState, bot: Account): number {
  return apps.find((app) => app.bot.id === bot.id)?.id ?? strangersBase + Number(bot.id);
}
