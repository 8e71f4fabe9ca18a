import { describe, expect, it } from "vitest";
import type { Account } from "#core/model/account.ts";
import { minuteMs } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botWords, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

/** Somebody who may write, and whose kind a forge in the manner of Gitea does not tell. */
function writing(town: Town, login: string): Account {
  const account = town.sandbox.addAccount({ login, kind: "bot" });
  town.sandbox.setPermission({ repository: town.repository, account, permission: "write" });
  return account;
}

describe.each(manners)("another bot that may write on a %s", (manner) => {
  it.each(["renovate", "deploy-bot", "ci[bot]"])("called %s neither commands nor approves", async (login) => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await opened(town);
    const bot = writing(town, login);
    const said = await town.as(bot).comment(pull, "@drover hold");
    await town.as(bot).react(pull, "+1");
    await town.pass(5 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual([]);
    expect(town.look(pull).merged).toBeNull();
  });

  it.each(["login", "id"] as const)("and that the operator lists by %s neither commands nor approves", async (how) => {
    const { robin } = await buildTown({ manner });
    const town = await buildTown({ manner, rules: merging, bots: [how === "id" ? Number(robin.id) : "Robin"] });
    town.sandbox.setPermission({ repository: town.repository, account: town.robin, permission: "write" });
    const pull = await opened(town);
    const said = await town.as(town.robin).comment(pull, "@drover hold");
    await town.as(town.robin).react(pull, "+1");
    await town.as(town.robin).review(pull, { event: "approve", body: "" });
    await town.pass(5 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual([]);
    expect(town.look(pull).merged).toBeNull();
  });

  it("is obeyed where it is trusted by id, also when it is listed", async () => {
    const { robin } = await buildTown({ manner });
    const town = await buildTown({ manner, rules: { trustedBots: [robin.id] }, bots: ["robin"] });
    town.sandbox.setPermission({ repository: town.repository, account: town.robin, permission: "write" });
    const pull = await opened(town);
    const said = await town.as(town.robin).comment(pull, "@drover hold");
    await town.pass(3 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
  });
});

describe.each(manners)("a stranger on a %s", (manner) => {
  it("who gives twelve commands gets one explanation, and no more", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const before = botWords(town, pull).length;
    const said = [];
    for (let count = 0; count < 12; count++) said.push(await town.as(town.otto).comment(pull, "@drover merge"));
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(before + 1);
    expect(said.flatMap((comment) => reactionsOn(town, pull, comment))).toHaveLength(10);
    expect(managedComments(town, pull)[0]?.body).toContain("11 more commands");
    // What was refused stays refused.
    town.sandbox.setPermission({ repository: town.repository, account: town.otto, permission: "write" });
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(before + 1);
  });
});

/** GitHub refuses such texts itself. */
describe.each(manners.filter((manner) => manner === "gitea"))("on a %s, a comment that is too long to be read", () => {
  const long = `Long ${"x".repeat(70_000)}`;

  it("by a stranger stops no merge, and commands before and after it are read", async () => {
    const town = await buildTown({ manner: "gitea", rules: merging });
    const pull = await opened(town);
    const hold = await town.as(town.rita).comment(pull, "@drover hold");
    await town.as(town.otto).comment(pull, long);
    await town.as(town.mia).review(pull, { event: "approve", body: "Fine." });
    await town.pass(5 * minuteMs);
    expect(reactionsOn(town, pull, hold)).toEqual(["+1"]);
    expect(town.look(pull).merged).toBeNull();
    expect(managedComments(town, pull)[0]?.body).toContain("remarks of `otto` are too long");
    await town.as(town.rita).comment(pull, "@drover unhold");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).not.toBeNull();
  });

  it("by somebody who may object is a condition that everybody sees", async () => {
    const town = await buildTown({ manner: "gitea", rules: merging });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, long);
    await town.as(town.mia).review(pull, { event: "approve", body: "Fine." });
    await town.pass(5 * minuteMs);
    expect(limits.bodyCharactersMax).toBeLessThan(long.length);
    expect(town.look(pull).merged).toBeNull();
    expect(managedComments(town, pull)[0]?.body).toContain("bodyCharactersMax");
  });
});
