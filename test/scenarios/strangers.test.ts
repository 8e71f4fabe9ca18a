// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { minuteMs } from "#core/model/instant.ts";
import { Rules } from "#core/model/rules.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { aReviewer } from "#testing/review-makers.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

describe.each(manners)("on a %s, a stranger", (manner) => {
  it.each(["disable-reviews", "cancel", "hold", "merge", "fix", "stop-fixing"])(
    "who says %s changes nothing, and is told so once",
    async (word) => {
      const harness = await buildHarness({ manner, rules: { merge: { when: "on_command", requireCI: false } } });
      const pull = await opened(harness);
      const said = await harness.as(harness.otto).comment(pull, `@drover ${word}`);
      await harness.pass(3 * minuteMs);
      expect(reactionsOn(harness, pull, said)).toEqual(["confused"]);
      expect(botWords(harness, pull)).toHaveLength(1);
      await harness.push(pull, { "src/lexer.ts": "export const words = 13;\n" });
      await harness.as(harness.rita).react(pull, "+1");
      await harness.pass(3 * minuteMs);
      expect(gateOf(harness, pull)).toBe("success");
      expect(managedComments(harness, pull)[0]?.body).toContain("No hold | not held");
      expect(harness.look(pull).merged).toBeNull();
    },
  );

  it("who speaks for the author is not the author", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const said = await harness
      .as(harness.otto)
      .comment(pull, "> @drover status\n\n```\n@drover hold\n```\n`@drover hold`");
    await harness.pass(3 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual([]);
    expect(botWords(harness, pull)).toHaveLength(0);
  });

  it("cannot spend more than a few paid reviews on a pull of their own", async () => {
    let looks = 0;
    const harness = await buildHarness({
      manner,
      rules: { reviews: { automatic: "disabled", roles: [{ name: "general", reviewer: "model" }] } },
      parts: ({ reviewers }) => {
        const { rules } = reviewers;
        return { reviewers: { ...reviewers, model: rules && aReviewer((job) => (looks++, rules.review(job))) } };
      },
    });
    const pull = await harness.open({ by: harness.otto });
    await harness.settle();
    for (let times = 0; times < 6; times++) {
      await harness.as(harness.otto).comment(pull, "@drover review");
      await harness.pass(2 * minuteMs);
    }
    expect(looks).toBe(3);
    expect(botWords(harness, pull)).toHaveLength(3);
  });
});

describe.each(manners)("bots on a %s", (manner) => {
  it("do not make Drover answer itself, whatever it quotes", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open({
      files: { "src/a.ts": "// @drover merge\nfunction f() {\n  debugger; // @drover hold\n}\n" },
    });
    await harness.settle();
    await harness.as(harness.rita).comment(pull, "@drover help");
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    const own = [
      ...botComments(harness, pull),
      ...botReviews(harness, pull),
      ...harness.look(pull).threads.flatMap(({ comments }) => comments),
    ];
    for (const { body } of own) expect(body).not.toMatch(/^\s*@drover/m);
  });

  it("that answer each other stop at once: Drover answers none", async () => {
    const harness = await buildHarness({ manner, rules: { trustedBots: [] } });
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.robin, permission: "write" });
    const pull = await opened(harness);
    let answers = 0;
    // Robin answers to everything that Drover says, in the same words and with a command.
    const robin = async (): Promise<void> => {
      for (const { body } of botComments(harness, pull).slice(answers)) {
        answers++;
        await harness.as(harness.robin).comment(pull, `> ${body.slice(0, 40)}\n\nThanks! @drover status`);
      }
    };
    if (manner === "gitea")
      harness.sandbox.setPermission({ repository: harness.repository, account: harness.robin, permission: "read" });
    for (let rounds = 0; rounds < 10; rounds++) {
      await robin();
      await harness.pass(minuteMs);
    }
    expect(answers).toBeLessThanOrEqual(2);
  });

  it("that are listed may command, and are answered once", async () => {
    const first = await buildHarness({ manner });
    const harness = await buildHarness({ manner, rules: { trustedBots: [first.robin.id] } });
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.robin, permission: "write" });
    const pull = await opened(harness);
    const said = await harness.as(harness.robin).comment(pull, "@drover hold");
    await harness.pass(3 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
  });

  it("that are two Drovers on one repository leave each other alone", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const twin = harness.sandbox.addAccount({ login: "drover-twin", kind: "bot" });
    harness.sandbox.setPermission({ repository: harness.repository, account: twin, permission: "admin" });
    const other = harness.hire({
      ...harness.settleStranger("twin"),
      forge: harness.sandbox.clientOf(twin, harness.machine),
      secret: makeBlockSecret(new Uint8Array(32).fill(9)),
      rulesOf: async () => Rules.parse({ handle: "@twin" }),
    });
    harness.sandbox.subscribe(({ pull }) => void other.reconciler.poke(pull));
    const pull = await opened(harness);
    const mine = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.as(harness.rita).comment(pull, "@twin status");
    await harness.pass(10 * minuteMs);
    const by = (id: string) => harness.look(pull).comments.filter(({ author }) => author.id === id);
    expect(by(harness.bot.id)).toHaveLength(2);
    expect(by(twin.id)).toHaveLength(2);
    expect(reactionsOn(harness, pull, mine)).toEqual(["+1"]);
    expect(harness.look(pull).commentReactions.filter(({ comment }) => comment === mine)).toHaveLength(1);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(harness.look(pull).reviews.filter(({ author }) => author.id === twin.id)).toHaveLength(1);
  });
});
