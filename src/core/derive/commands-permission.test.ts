import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayCommand } from "#core/derive/commands.ts";
import { Account, Permission } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import { commandWords } from "#core/model/records.ts";

const bot = Account.parse({ id: "9", login: "drover", kind: "bot" });
const author = Account.parse({ id: "1", login: "author", kind: "person" });
const stranger = Account.parse({ id: "2", login: "stranger", kind: "person" });
const helper = Account.parse({ id: "3", login: "dependabot", kind: "bot" });

const base = {
  author: stranger,
  pullAuthor: author,
  bot,
  trustedBots: [],
  permission: "read",
  word: "review",
} as const;
const forAuthors = new Set<string>(["review", "cancel", "disable-reviews", "enable-reviews", "status", "help"]);

describe("mayCommand", () => {
  it.each(commandWords)("lets writers and admins say %s", (word) => {
    expect(mayCommand({ ...base, word, permission: "write" })).toEqual({ kind: "allowed" });
    expect(mayCommand({ ...base, word, permission: "admin" })).toEqual({ kind: "allowed" });
  });

  it.each(commandWords)("lets the author of a pull say %s only if it spends nobody's trust", (word) => {
    const expected = forAuthors.has(word) ? { kind: "allowed" } : { kind: "refused", why: "needs_write" };
    expect(mayCommand({ ...base, word, author, permission: "none" })).toEqual(expected);
  });

  it("grants nothing on a permission that nobody could tell, but leaves authors what is theirs", () => {
    const unknown = { ...base, permission: "undetermined" } as const;
    expect(mayCommand(unknown)).toEqual({ kind: "refused", why: "undetermined" });
    expect(mayCommand({ ...unknown, author })).toEqual({ kind: "allowed" });
    expect(mayCommand({ ...unknown, author, word: "merge" })).toEqual({ kind: "refused", why: "undetermined" });
  });

  it("refuses a stranger who took the author's login", () => {
    const impostor = { ...stranger, login: author.login };
    expect(mayCommand({ ...base, author: impostor })).toEqual({ kind: "refused", why: "needs_write" });
  });

  it("ignores other bots, also as authors and with write permission", () => {
    const ignored = { kind: "ignored", why: "other_bot" };
    expect(mayCommand({ ...base, author: helper, pullAuthor: helper, permission: "admin" })).toEqual(ignored);
    const namesake = { ...helper, id: AccountId.parse("4") };
    expect(mayCommand({ ...base, author: namesake, trustedBots: [helper.id], permission: "write" })).toEqual(ignored);
  });

  it("holds a trusted bot to the same permission as a person", () => {
    const trusted = { ...base, author: helper, trustedBots: [helper.id] };
    expect(mayCommand(trusted)).toEqual({ kind: "refused", why: "needs_write" });
    expect(mayCommand({ ...trusted, permission: "write" })).toEqual({ kind: "allowed" });
  });

  it("never obeys itself, whatever it is called and allowed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...commandWords), fc.constantFrom(...Permission.options), (word, permission) => {
        const self = { ...bot, login: "somebody", kind: "person" } as const;
        const asked = { ...base, word, permission, author: self, pullAuthor: self, trustedBots: [bot.id] };
        expect(mayCommand(asked)).toEqual({ kind: "ignored", why: "own" });
      }),
    );
  });
});
