import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { codePath } from "./content.ts";
import { report } from "./deeds-signs.ts";
import { makeMergeable, read, type Stage, sayTwice, setStage } from "./oracle-stage.ts";
import { attend } from "./run-seed.ts";
import { addFact } from "./world.ts";

/** What a session would push, made with the bot's own hands. */
async function pushFix({ world, installation }: Stage): Promise<void> {
  const { fix } = installation.rules;
  installation.rules = { ...installation.rules, fix: { ...fix, onFeedback: true } };
  const changes = { [codePath]: "export const fixed = 1;\n" };
  const push = { repository: world.repository, branch: "feature-1", changes, message: "fixed" };
  await world.sandbox.as(installation.bot).push(push);
}

const misdeeds: readonly (readonly [what: string, misdeed: (stage: Stage) => Promise<unknown>, noticed: RegExp])[] = [
  [
    "merges what nobody approved",
    async ({ bot, pull, head, world, pass, installation }) => {
      read(world, installation, { pull: pull.number, head: head() });
      await report(world, head(), "passed");
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /nobody permitted had approved/,
  ],
  [
    "merges a head that was pushed after the approval",
    async (stage) => {
      await makeMergeable(stage);
      const { world, bot, pull, head, pass, installation } = stage;
      const changes = { [codePath]: "export const other = 1;\n" };
      const push = { repository: world.repository, branch: "feature-1", changes, message: "more" };
      await world.sandbox.as(world.cast.ada).push(push);
      read(world, installation, { pull: pull.number, head: head() });
      await report(world, head(), "passed");
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /nobody permitted had approved/,
  ],
  [
    "merges over an objection",
    async (stage) => {
      await makeMergeable(stage);
      const { world, bot, pull, head, pass } = stage;
      await world.sandbox.as(world.cast.mia).review(pull, { event: "request_changes", body: "No." });
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /somebody permitted objects/,
  ],
  [
    "merges without an owner of the code",
    async (stage) => {
      const { installation, world, bot, pull, head, pass } = stage;
      const { approval } = installation.rules;
      installation.rules = { ...installation.rules, approval: { ...approval, requiresCodeOwners: true } };
      read(world, installation, { pull: pull.number, head: head() });
      await report(world, head(), "passed");
      await world.sandbox.as(world.cast.mia).review(pull, { event: "approve", body: "" });
      await world.sandbox.as(world.cast.mia).react(pull, "+1");
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /no owner of the code had approved/,
  ],
  [
    "pushes a fix to a pull that is on hold",
    async (stage) => {
      await stage.order(stage.world.cast.mia, "hold");
      await stage.order(stage.world.cast.mia, "fix");
      await stage.pass(hourMs);
      await pushFix(stage);
    },
    /pushes to a pull that is on hold/,
  ],
  [
    "pushes a fix to a draft",
    async (stage) => {
      await stage.world.sandbox.as(stage.world.cast.ada).editPull(stage.pull, { isDraft: true });
      await stage.pass(hourMs);
      await pushFix(stage);
    },
    /pushes to a draft/,
  ],
  [
    "pushes a fix to a head that was approved",
    async (stage) => {
      const { bot, pull, head } = stage;
      await bot.setGate({ pull, head: head(), state: "pending", words: "Reviewing" });
      await makeMergeable(stage);
      await pushFix(stage);
    },
    /pushes to an approved head/,
  ],
  [
    "pushes a fix to an approved head after everybody who objected has approved",
    async (stage) => {
      const { world, bot, pull, head, pass } = stage;
      const mia = world.sandbox.as(world.cast.mia);
      await mia.review(pull, { event: "request_changes", body: "No." });
      await bot.setGate({ pull, head: head(), state: "pending", words: "Reviewing" });
      await makeMergeable(stage);
      await mia.review(pull, { event: "approve", body: "" });
      await pass(hourMs);
      await pushFix(stage);
    },
    /pushes to an approved head/,
  ],
  [
    "merges on the thumb of somebody whose later review was dismissed",
    async (stage) => {
      const { world, installation, bot, pull, head, pass } = stage;
      const { approval } = installation.rules;
      installation.rules = { ...installation.rules, approval: { ...approval, protocols: "both" } };
      read(world, installation, { pull: pull.number, head: head() });
      await report(world, head(), "passed");
      const rita = world.sandbox.as(world.cast.rita);
      await rita.react(pull, "+1");
      await pass(hourMs);
      await rita.review(pull, { event: "request_changes", body: "No." });
      const review = world.sandbox.look(pull).reviews.at(-1)?.id;
      if (review === undefined) throw new Error("there is no review");
      await world.sandbox.as(world.cast.mia).dismissReview(pull, review);
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /nobody permitted had approved/,
  ],
  [
    "pushes a fix while a reviewer is looking",
    async (stage) => {
      const { approval } = stage.installation.rules;
      stage.installation.rules = { ...stage.installation.rules, approval: { ...approval, protocols: "both" } };
      await stage.world.sandbox.as(stage.world.cast.rita).react(stage.pull, "eyes");
      await stage.pass(hourMs);
      await pushFix(stage);
    },
    /pushes while a reviewer is looking/,
  ],
  [
    "merges with red checks",
    async (stage) => {
      await makeMergeable(stage);
      const { world, bot, pull, head, pass } = stage;
      await report(world, head(), "failed");
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /checks were not green/,
  ],
  [
    "merges what is on hold",
    async (stage) => {
      await makeMergeable(stage);
      const { world, bot, pull, head, pass, order } = stage;
      await order(world.cast.mia, "hold");
      await pass(hourMs);
      await bot.merge({ pull, head: head() });
    },
    /on hold/,
  ],
  [
    "merges what nobody wanted merged",
    async (stage) => {
      const { installation } = stage;
      const { rules } = installation;
      installation.rules = { ...rules, merge: { ...rules.merge, when: "on_command" } };
      await makeMergeable(stage);
      await stage.bot.merge({ pull: stage.pull, head: stage.head() });
    },
    /nobody wanted it merged/,
  ],
  [
    "merges what a role has not read",
    async (stage) => {
      await makeMergeable(stage);
      const { world, bot, pull, head } = stage;
      world.facts.splice(0, world.facts.length, ...world.facts.filter(({ kind }) => kind !== "read"));
      await bot.merge({ pull, head: head() });
    },
    /has not read it/,
  ],
  [
    "merges a blocking defect",
    async (stage) => {
      const { world, bot, pull, head } = stage;
      const changes = { [codePath]: 'export const bad = "defect-9-bad";\n' };
      const push = { repository: world.repository, branch: "feature-1", changes, message: "bad" };
      await world.sandbox.as(world.cast.ada).push(push);
      await makeMergeable(stage);
      await bot.merge({ pull, head: head() });
    },
    /holds defect-9-bad/,
  ],
  [
    "shows a green gate over a head that nobody has read",
    async ({ bot, pull, head }) => await bot.setGate({ pull, head: head(), state: "success", words: "fine" }),
    /is green although/,
  ],
  [
    "waives a review that nobody switched off",
    async ({ bot, pull, head }) => await bot.setGate({ pull, head: head(), state: "neutral", words: "off" }),
    /neutral although/,
  ],
  [
    "approves a blocking defect",
    async ({ world, bot, pull, head }) => {
      const changes = { [codePath]: 'export const bad = "defect-7-bad";\n' };
      const push = { repository: world.repository, branch: "feature-1", changes, message: "bad" };
      await world.sandbox.as(world.cast.ada).push(push);
      await bot.submitReview({ pull, head: head(), event: "approve", body: "Fine.", remarks: [] });
    },
    /approves [0-9a-f]+ although/,
  ],
  [
    "obeys somebody who may not",
    async ({ world, bot, pull, order }) => {
      const comment = await order(world.cast.otto, "merge");
      await bot.addReaction({ pull, comment, content: "+1" });
    },
    /obeys merge of somebody who may not/,
  ],
  [
    "obeys what is no command",
    async ({ world, bot, pull, say }) => {
      const comment = await say(world.cast.mia, "> @drover merge");
      await bot.addReaction({ pull, comment, content: "+1" });
    },
    /nobody ordered anything/,
  ],
  [
    "answers a bot",
    async ({ world, bot, pull, order }) => {
      const comment = await order(world.cast.echo, "status");
      await bot.addReaction({ pull, comment, content: "confused" });
    },
    /answers status of a bot/,
  ],
  [
    "summons itself",
    async ({ bot, pull }) => await bot.createComment({ pull, body: "Now\n@drover merge" }),
    /writes a live @drover/,
  ],
  [
    "merges, right after the roles were changed, what neither those before nor those now have read",
    async (stage) => {
      const { world, installation, bot, pull, head, pass } = stage;
      await pass(hourMs);
      await report(world, head(), "passed");
      await world.sandbox.as(world.cast.rita).review(pull, { event: "approve", body: "" });
      await world.sandbox.as(world.cast.rita).react(pull, "+1");
      await pass(hourMs);
      const changed = { installation: installation.name, roles: ["other"] };
      addFact(world, { kind: "roles", pull: pull.number, ...changed });
      await bot.merge({ pull, head: head() });
    },
    /role has not read it/,
  ],
  ["says the same thing twice", sayTwice, /sends again/],
  ["calls somebody", async ({ bot, pull }) => await bot.createComment({ pull, body: "Hello @otto" }), /calls otto/],
];

describe("the oracle notices a bot that", () => {
  it.each(misdeeds)("%s", async (_, misdeed, noticed) => {
    const stage = await setStage();
    await misdeed(stage);
    attend(stage.world);
    expect(stage.world.problem).toMatch(noticed);
  });
});

describe("the oracle has nothing against a bot that", () => {
  it("pushes a fix for somebody who wants changes, whoever else approves", async () => {
    const stage = await setStage();
    const { world, bot, pull, head, pass } = stage;
    await bot.setGate({ pull, head: head(), state: "pending", words: "Reviewing" });
    await makeMergeable(stage);
    await world.sandbox.as(world.cast.mia).review(pull, { event: "request_changes", body: "No." });
    await pass(hourMs);
    await pushFix(stage);
    attend(world);
    expect(world.problem).toBeNull();
  });

  it("pushes a fix for a reviewer who has looked and wants changes", async () => {
    const stage = await setStage();
    const { world, installation, pull, pass } = stage;
    const { approval } = installation.rules;
    installation.rules = { ...installation.rules, approval: { ...approval, protocols: "both" } };
    const rita = world.sandbox.as(world.cast.rita);
    await rita.react(pull, "eyes");
    await pass(minuteMs);
    await rita.review(pull, { event: "request_changes", body: "No." });
    await pass(hourMs);
    await pushFix(stage);
    attend(world);
    expect(world.problem).toBeNull();
  });

  it("merges what nobody has read, where reviews are off by the rules and the roles were changed a moment ago", async () => {
    const stage = await setStage();
    const { world, installation, bot, pull, head, pass } = stage;
    const { rules } = installation;
    installation.rules = { ...rules, reviews: { ...rules.reviews, automatic: "disabled" } };
    const changes = { [codePath]: 'export const k1 = "defect-10-k1";\n' };
    const push = { repository: world.repository, branch: "feature-1", changes, message: "a defect" };
    await world.sandbox.as(world.cast.ada).push(push);
    await report(world, head(), "passed");
    await world.sandbox.as(world.cast.rita).review(pull, { event: "approve", body: "" });
    await world.sandbox.as(world.cast.rita).react(pull, "+1");
    await pass(hourMs);
    addFact(world, { kind: "roles", pull: pull.number, installation: installation.name, roles: ["other"] });
    await bot.merge({ pull, head: head() });
    attend(world);
    expect(world.problem).toBeNull();
  });
});
