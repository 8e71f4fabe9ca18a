import { describe, expect, it } from "vitest";
import { codePath } from "./content.ts";
import { pay } from "./money.ts";
import { restProblem } from "./oracle-rest.ts";
import { read, type Stage, sayTwice, setStage } from "./oracle-stage.ts";
import { attend } from "./run-seed.ts";

const omissions: readonly (readonly [what: string, omission: (stage: Stage) => Promise<unknown>, noticed: RegExp])[] = [
  [
    "never answers a command",
    async ({ world, order }) => await order(world.cast.mia, "help"),
    /answered by 0 reactions/,
  ],
  [
    "never blanks what a worker that stood still has sent again",
    async (stage) => {
      stage.installation.lastPause = { from: 0, until: stage.world.scheduler.now() };
      await sayTwice(stage);
    },
    /duplicated/,
  ],
  [
    "leaves its approval in force on a head that it has not read",
    async ({ world, installation, bot, pull, head }) => {
      read(world, installation, { pull: pull.number, head: head() });
      await bot.submitReview({ pull, head: head(), event: "approve", body: "Fine.", remarks: [] });
      const changes = { [codePath]: "export const unread = 1;\n" };
      const push = { repository: world.repository, branch: "feature-1", changes, message: "more" };
      await world.sandbox.as(world.cast.ada).push(push);
    },
    /approval is still in force/,
  ],
  [
    "pays more than it may",
    async ({ world, installation, pull }) => {
      Object.assign(installation, { budgets: { pullUsd: 0.001, allowUnpriced: false } });
      const paid = { pull: pull.number, purpose: "answer" as const, costMicroUsd: 1_001, onCall: undefined };
      pay(world, installation, paid);
    },
    /1001 millionths of a dollar were paid/,
  ],
  ["never shows a gate", async () => undefined, /has no gate/],
  [
    "never reads the last head",
    async ({ bot, pull, head }) => await bot.setGate({ pull, head: head(), state: "pending", words: "Reviewing" }),
    /never read the last head/,
  ],
  [
    "publishes nothing of what it read",
    async ({ world, installation, bot, pull, head }) => {
      read(world, installation, { pull: pull.number, head: head() });
      await bot.setGate({ pull, head: head(), state: "success", words: "fine" });
    },
    /published nothing/,
  ],
];

describe("when everybody has gone home, the oracle notices a bot that", () => {
  it.each(omissions)("%s", async (_, omission, noticed) => {
    const stage = await setStage();
    await omission(stage);
    attend(stage.world);
    expect(stage.world.problem).toBeNull();
    expect(await restProblem(stage.world)).toMatch(noticed);
  });
});
