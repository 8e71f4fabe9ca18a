import { foldName } from "#core/fold-name.ts";
import type { Account } from "#core/model/account.ts";
import { markBots } from "#core/model/mark-bots.ts";
import type { Forge } from "#ports/forge.ts";

/** An id or a login. Another person can take a login, not an id. */
export type ListedBot = string | number;

/** As if the forge told that these accounts are bots. */
export function withListedBots(forge: Forge, bots: readonly ListedBot[]): Forge {
  if (bots.length === 0) return forge;
  const ids = new Set(bots.filter((bot) => typeof bot === "number").map(String));
  const logins = new Set(bots.filter((bot) => typeof bot === "string").map(foldName));
  const isListed = ({ id, login }: Account): boolean => ids.has(id) || logins.has(foldName(login));
  return { ...forge, fetchPull: async (pull) => markBots(await forge.fetchPull(pull), isListed) };
}
