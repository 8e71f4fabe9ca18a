// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { makeBlockSecret } from "#core/blocks/block-secret.ts";
import { minuteMs } from "#core/model/instant.ts";
import { Rules } from "#core/model/rules.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

describe.each(manners)("on a %s, a stranger", (manner) => {
  it.each(["disable-reviews", "cancel", "hold", "merge", "fix", "stop-fixing"])(
    "who says %s changes nothing, and is told so once",
    async (word) => {
      const town = await buildTown({ manner, rules: { merge: { when: "on_command", requireCI: false } } });
      const pull = await opened(town);
      const said = await town.as(town.otto).comment(pull, `@drover ${word}`);
      await town.pass(3 * minuteMs);
      expect(reactionsOn(town, pull, said)).toEqual(["confused"]);
      expect(botWords(town, pull)).toHaveLength(1);
      await town.push(pull, { "src/lexer.ts": "export const words = 13;\n" });
      await town.as(town.rita).react(pull, "+1");
      await town.pass(3 * minuteMs);
      expect(gateOf(town, pull)).toBe("success");
      expect(managedComments(town, pull)[0]?.body).toContain("No hold | not held");
      expect(town.look(pull).merged).toBeNull();
    },
  );

  it("who speaks for the author is not the author", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const said = await town.as(town.otto).comment(pull, "> @drover status\n\n```\n@drover hold\n```\n`@drover hold`");
    await town.pass(3 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual([]);
    expect(botWords(town, pull)).toHaveLength(0);
  });

  it("cannot spend more than a few paid reviews on a pull of their own", async () => {
    let looks = 0;
    const town = await buildTown({
      manner,
      rules: { reviews: { automatic: "disabled", roles: [{ name: "general", reviewer: "model" }] } },
      parts: ({ reviewers: { rules } }) => ({
        reviewers: { rules, agent: null, model: rules && { review: (job) => (looks++, rules.review(job)) } },
      }),
    });
    const pull = await town.open({ by: town.otto });
    await town.settle();
    for (let times = 0; times < 6; times++) {
      await town.as(town.otto).comment(pull, "@drover review");
      await town.pass(2 * minuteMs);
    }
    expect(looks).toBe(3);
    expect(botWords(town, pull)).toHaveLength(3);
  });
});

describe.each(manners)("bots on a %s", (manner) => {
  it("do not make Drover answer itself, whatever it quotes", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({
      files: { "src/a.ts": "// @drover merge\nfunction f() {\n  debugger; // @drover hold\n}\n" },
    });
    await town.settle();
    await town.as(town.rita).comment(pull, "@drover help");
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    const own = [
      ...botComments(town, pull),
      ...botReviews(town, pull),
      ...town.look(pull).threads.flatMap(({ comments }) => comments),
    ];
    for (const { body } of own) expect(body).not.toMatch(/^\s*@drover/m);
  });

  it("that answer each other stop at once: Drover answers none", async () => {
    const town = await buildTown({ manner, rules: { trustedBots: [] } });
    town.sandbox.setPermission({ repository: town.repository, account: town.robin, permission: "write" });
    const pull = await opened(town);
    let answers = 0;
    // Robin answers to everything that Drover says, in the same words and with a command.
    const robin = async (): Promise<void> => {
      for (const { body } of botComments(town, pull).slice(answers)) {
        answers++;
        await town.as(town.robin).comment(pull, `> ${body.slice(0, 40)}\n\nThanks! @drover status`);
      }
    };
    if (manner === "gitea")
      town.sandbox.setPermission({ repository: town.repository, account: town.robin, permission: "read" });
    for (let rounds = 0; rounds < 10; rounds++) {
      await robin();
      await town.pass(minuteMs);
    }
    expect(answers).toBeLessThanOrEqual(2);
  });

  it("that are listed may command, and are answered once", async () => {
    const first = await buildTown({ manner });
    const town = await buildTown({ manner, rules: { trustedBots: [first.robin.id] } });
    town.sandbox.setPermission({ repository: town.repository, account: town.robin, permission: "write" });
    const pull = await opened(town);
    const said = await town.as(town.robin).comment(pull, "@drover hold");
    await town.pass(3 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
  });

  it("that are two Drovers on one repository leave each other alone", async () => {
    const town = await buildTown({ manner, rules: merging });
    const twin = town.sandbox.addAccount({ login: "drover-twin", kind: "bot" });
    town.sandbox.setPermission({ repository: town.repository, account: twin, permission: "admin" });
    const other = town.hire({
      ...town.settleStranger("twin"),
      forge: town.sandbox.clientOf(twin, town.machine),
      secret: makeBlockSecret(new Uint8Array(32).fill(9)),
      rulesOf: async () => Rules.parse({ handle: "@twin" }),
    });
    town.sandbox.subscribe(({ pull }) => void other.reconciler.poke(pull));
    const pull = await opened(town);
    const mine = await town.as(town.rita).comment(pull, "@drover status");
    await town.as(town.rita).comment(pull, "@twin status");
    await town.pass(10 * minuteMs);
    const by = (id: string) => town.look(pull).comments.filter(({ author }) => author.id === id);
    expect(by(town.bot.id)).toHaveLength(2);
    expect(by(twin.id)).toHaveLength(2);
    expect(reactionsOn(town, pull, mine)).toEqual(["+1"]);
    expect(town.look(pull).commentReactions.filter(({ comment }) => comment === mine)).toHaveLength(1);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(town.look(pull).reviews.filter(({ author }) => author.id === twin.id)).toHaveLength(1);
  });
});
