import { describe, expect, it } from "vitest";
import type { Account } from "#core/model/account.ts";
import { minuteMs } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botWords, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

/** Somebody who may write, and whose kind a forge in the manner of Gitea does not tell. */
function writing(harness: Harness, login: string): Account {
  const account = harness.sandbox.addAccount({ login, kind: "bot" });
  harness.sandbox.setPermission({ repository: harness.repository, account, permission: "write" });
  return account;
}

describe.each(manners)("another bot that may write on a %s", (manner) => {
  it.each(["renovate", "deploy-bot", "ci[bot]"])("called %s neither commands nor approves", async (login) => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await opened(harness);
    const bot = writing(harness, login);
    const said = await harness.as(bot).comment(pull, "@drover hold");
    await harness.as(bot).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual([]);
    expect(harness.look(pull).merged).toBeNull();
  });

  it.each(["login", "id"] as const)("and that the operator lists by %s neither commands nor approves", async (how) => {
    const { robin } = await buildHarness({ manner });
    const harness = await buildHarness({ manner, rules: merging, bots: [how === "id" ? Number(robin.id) : "Robin"] });
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.robin, permission: "write" });
    const pull = await opened(harness);
    const said = await harness.as(harness.robin).comment(pull, "@drover hold");
    await harness.as(harness.robin).react(pull, "+1");
    await harness.as(harness.robin).review(pull, { event: "approve", body: "" });
    await harness.pass(5 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual([]);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("is obeyed where it is trusted by id, also when it is listed", async () => {
    const { robin } = await buildHarness({ manner });
    const harness = await buildHarness({ manner, rules: { trustedBots: [robin.id] }, bots: ["robin"] });
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.robin, permission: "write" });
    const pull = await opened(harness);
    const said = await harness.as(harness.robin).comment(pull, "@drover hold");
    await harness.pass(3 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
  });
});

describe.each(manners)("a stranger on a %s", (manner) => {
  it("who gives twelve commands gets one explanation, and no more", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const before = botWords(harness, pull).length;
    const said = [];
    for (let count = 0; count < 12; count++) said.push(await harness.as(harness.otto).comment(pull, "@drover merge"));
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(before + 1);
    expect(said.flatMap((comment) => reactionsOn(harness, pull, comment))).toHaveLength(10);
    expect(managedComments(harness, pull)[0]?.body).toContain("11 more commands");
    // What was refused stays refused.
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.otto, permission: "write" });
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(before + 1);
  });
});

/** GitHub refuses such texts itself. */
describe.each(manners.filter((manner) => manner === "gitea"))("on a %s, a comment that is too long to be read", () => {
  const long = `Long ${"x".repeat(70_000)}`;

  it("by a stranger stops no merge, and commands before and after it are read", async () => {
    const harness = await buildHarness({ manner: "gitea", rules: merging });
    const pull = await opened(harness);
    const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.as(harness.otto).comment(pull, long);
    await harness.as(harness.mia).review(pull, { event: "approve", body: "Fine." });
    await harness.pass(5 * minuteMs);
    expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
    expect(harness.look(pull).merged).toBeNull();
    expect(managedComments(harness, pull)[0]?.body).toContain("remarks of `otto` are too long");
    await harness.as(harness.rita).comment(pull, "@drover unhold");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).not.toBeNull();
  });

  it("by somebody who may object is a condition that everybody sees", async () => {
    const harness = await buildHarness({ manner: "gitea", rules: merging });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, long);
    await harness.as(harness.mia).review(pull, { event: "approve", body: "Fine." });
    await harness.pass(5 * minuteMs);
    expect(limits.bodyCharactersMax).toBeLessThan(long.length);
    expect(harness.look(pull).merged).toBeNull();
    expect(managedComments(harness, pull)[0]?.body).toContain("bodyCharactersMax");
  });
});
