import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botComments, botWords, managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(2 * minuteMs);
  return pull;
}

describe.each(manners)("on a %s, a person deletes", (manner) => {
  it("the managed comment: it comes back once", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const [managed] = managedComments(town, pull);
    if (managed === undefined) throw new Error("there is one");
    await town.as(town.mia).deleteComment(pull, managed.id);
    await town.pass(5 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
    await town.pass(30 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it("the managed comment five times: it comes back each time, and nothing in it is lost", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(2 * minuteMs);
    for (let times = 0; times < 5; times++) {
      for (const { id } of managedComments(town, pull)) await town.as(town.mia).deleteComment(pull, id);
      await town.pass(5 * minuteMs);
      expect(managedComments(town, pull)).toHaveLength(1);
      expect(managedComments(town, pull)[0]?.body).toContain("held by `rita`");
    }
  });

  it("an acknowledgement: it is not repeated", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(2 * minuteMs);
    const said = botComments(town, pull).filter(({ id }) => id !== managedComments(town, pull)[0]?.id);
    for (const { id } of said) await town.as(town.mia).deleteComment(pull, id);
    await town.pass(30 * minuteMs);
    expect(said).toHaveLength(1);
    expect(botWords(town, pull)).toHaveLength(0);
  });

  it("a command that switched reviews off: it is forgotten, and the head is reviewed", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const off = await town.as(town.rita).comment(pull, "@drover disable-reviews");
    await town.pass(2 * minuteMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 12;\n" });
    await town.pass(2 * minuteMs);
    expect(managedComments(town, pull)[0]?.body).toContain("due to explicit suppression");
    await town.as(town.rita).deleteComment(pull, off);
    await town.pass(5 * minuteMs);
    expect(managedComments(town, pull)[0]?.body).not.toContain("due to explicit suppression");
    expect(town.look(pull).gates.findLast(({ head }) => head === town.headOf(pull))?.state).toBe("success");
  });

  it("a command before anybody has seen it: nobody answers", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await opened(town);
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.as(town.rita).deleteComment(pull, status);
    await town.settle();
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(0);
  });

  it("a command between the look and the answer: the words still come, once, and nothing hangs", async () => {
    const town = await buildTown({
      manner,
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          addReaction: async (request) => {
            await town
              .as(town.rita)
              .deleteComment(request.pull, request.comment)
              .catch(() => undefined);
            await forge.addReaction(request);
          },
        },
      }),
    });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(hourMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
  });
});

describe.each(manners)("on a %s with many comments", (manner) => {
  it.each([101, 1_001])("a command after %s others is found and answered once", async (count) => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await town.open();
    for (let number = 0; number < count; number++) await town.as(town.otto).comment(pull, `Remark ${number}.`);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.settle();
    await town.pass(2 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it.each([101, 1_001])("a hold before %s others still holds", async (count) => {
    const town = await buildTown({
      manner,
      rules: { merge: { when: "when_approved", requireCI: false } },
      network: () => undefined,
    });
    const pull = await town.open();
    await town.as(town.rita).comment(pull, "@drover hold");
    for (let number = 0; number < count; number++) await town.as(town.mia).comment(pull, `Remark ${number}.`);
    await town.settle();
    await town.as(town.rita).react(pull, "+1");
    await town.pass(2 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(managedComments(town, pull)[0]?.body).toContain("held by `rita`");
  });

  it("an answer whose receipt was lost is found behind 101 others, and not sent again", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    town.faults.next("create_comment", { kind: "lost_response" });
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(1_000);
    for (let number = 0; number < 101; number++) await town.as(town.otto).comment(pull, `Remark ${number}.`);
    await town.pass(3 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(town.faults.callsOf("create_comment")).toBe(2);
  });
});
