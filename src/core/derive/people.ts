import { type Account, type Permission, permissionsByAccount } from "#core/model/account.ts";
import type { AccountId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";

export interface People {
  permissionOf(account: AccountId): Permission;
  isWriter(account: AccountId): boolean;
  isAuthor(account: AccountId): boolean;
  isBot(account: AccountId): boolean;
  /** A human, or a bot that the operator listed. Other words are never meant for Drover. */
  isHeard(account: Account): boolean;
  mayConverse(account: Account): boolean;
  mayCommand(account: Account): boolean;
}

export function peopleOf(seen: Observation): People {
  const permissions = permissionsByAccount(seen.permissions);
  const trusted = new Set(seen.rules.trustedBots);
  const permissionOf = (account: AccountId): Permission => permissions.get(account) ?? "undetermined";
  const isWriter = (account: AccountId): boolean => ["admin", "write"].includes(permissionOf(account));
  const isAuthor = (account: AccountId): boolean => account === seen.pull.author.id;
  const isBot = (account: AccountId): boolean => account === seen.bot.id;
  const isHeard = (account: Account): boolean =>
    !isBot(account.id) && (account.kind === "person" || trusted.has(account.id));
  const mayConverse = (account: Account): boolean =>
    isHeard(account) &&
    (seen.rules.conversation.answers === "everyone" || isAuthor(account.id) || isWriter(account.id));
  const mayCommand = (account: Account): boolean => isHeard(account) && (isAuthor(account.id) || isWriter(account.id));
  return { permissionOf, isWriter, isAuthor, isBot, isHeard, mayConverse, mayCommand };
}
