import type { Account, Permission } from "#core/model/account.ts";
import type { AccountId } from "#core/model/ids.ts";
import type { CommandWord } from "#core/model/records.ts";

export type CommandPermission =
  | { readonly kind: "allowed" }
  /** Told to the person, who may ask a writer or an operator. */
  | { readonly kind: "refused"; readonly why: "needs_write" | "undetermined" }
  /** Not answered at all: two bots that answer each other never stop. */
  | { readonly kind: "ignored"; readonly why: "own" | "other_bot" };

/** By account id: somebody else can take over a login. */
export function mayCommand(asked: {
  readonly word: CommandWord;
  readonly author: Account;
  readonly pullAuthor: Account;
  readonly permission: Permission;
  readonly bot: Account;
  readonly trustedBots: readonly AccountId[];
}): CommandPermission {
  const { author, permission } = asked;
  if (author.id === asked.bot.id) return { kind: "ignored", why: "own" };
  if (author.kind === "bot" && !asked.trustedBots.includes(author.id)) return { kind: "ignored", why: "other_bot" };
  if (permission === "admin" || permission === "write") return { kind: "allowed" };
  if (author.id === asked.pullAuthor.id && authorWords.has(asked.word)) return { kind: "allowed" };
  return { kind: "refused", why: permission === "undetermined" ? "undetermined" : "needs_write" };
}

/** Nothing that pushes, merges or stops others. */
const authorWords: ReadonlySet<CommandWord> = new Set<CommandWord>([
  "review",
  "cancel",
  "disable-reviews",
  "enable-reviews",
  "status",
  "help",
]);
