import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botComments, botWords, managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(2 * minuteMs);
  return pull;
}

describe.each(manners)("on a %s, a person deletes", (manner) => {
  it("the managed comment: it comes back once", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const [managed] = managedComments(harness, pull);
    if (managed === undefined) throw new Error("there is one");
    await harness.as(harness.mia).deleteComment(pull, managed.id);
    await harness.pass(5 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
    await harness.pass(30 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it("the managed comment five times: it comes back each time, and nothing in it is lost", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(2 * minuteMs);
    for (let times = 0; times < 5; times++) {
      for (const { id } of managedComments(harness, pull)) await harness.as(harness.mia).deleteComment(pull, id);
      await harness.pass(5 * minuteMs);
      expect(managedComments(harness, pull)).toHaveLength(1);
      expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
    }
  });

  it("an acknowledgement: it is not repeated", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(2 * minuteMs);
    const said = botComments(harness, pull).filter(({ id }) => id !== managedComments(harness, pull)[0]?.id);
    for (const { id } of said) await harness.as(harness.mia).deleteComment(pull, id);
    await harness.pass(30 * minuteMs);
    expect(said).toHaveLength(1);
    expect(botWords(harness, pull)).toHaveLength(0);
  });

  it("a command that switched reviews off: it is forgotten, and the head is reviewed", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const off = await harness.as(harness.rita).comment(pull, "@drover disable-reviews");
    await harness.pass(2 * minuteMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 12;\n" });
    await harness.pass(2 * minuteMs);
    expect(managedComments(harness, pull)[0]?.body).toContain("due to explicit suppression");
    await harness.as(harness.rita).deleteComment(pull, off);
    await harness.pass(5 * minuteMs);
    expect(managedComments(harness, pull)[0]?.body).not.toContain("due to explicit suppression");
    expect(harness.look(pull).gates.findLast(({ head }) => head === harness.headOf(pull))?.state).toBe("success");
  });

  it("a command before anybody has seen it: nobody answers", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await opened(harness);
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.as(harness.rita).deleteComment(pull, status);
    await harness.settle();
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(0);
  });

  it("a command between the look and the answer: the words still come, once, and nothing hangs", async () => {
    const harness = await buildHarness({
      manner,
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          addReaction: async (request) => {
            await harness
              .as(harness.rita)
              .deleteComment(request.pull, request.comment)
              .catch(() => undefined);
            await forge.addReaction(request);
          },
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(hourMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });
});

describe.each(manners)("on a %s with many comments", (manner) => {
  it.each([101, 1_001])("a command after %s others is found and answered once", async (count) => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await harness.open();
    for (let number = 0; number < count; number++) await harness.as(harness.otto).comment(pull, `Remark ${number}.`);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.settle();
    await harness.pass(2 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it.each([101, 1_001])("a hold before %s others still holds", async (count) => {
    const harness = await buildHarness({
      manner,
      rules: { merge: { when: "when_approved", requireCI: false } },
      network: () => undefined,
    });
    const pull = await harness.open();
    await harness.as(harness.rita).comment(pull, "@drover hold");
    for (let number = 0; number < count; number++) await harness.as(harness.mia).comment(pull, `Remark ${number}.`);
    await harness.settle();
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(2 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
  });

  it("an answer whose receipt was lost is found behind 101 others, and not sent again", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    harness.faults.next("create_comment", { kind: "lost_response" });
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(1_000);
    for (let number = 0; number < 101; number++) await harness.as(harness.otto).comment(pull, `Remark ${number}.`);
    await harness.pass(3 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(harness.faults.callsOf("create_comment")).toBe(2);
  });
});
