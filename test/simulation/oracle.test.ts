import { describe, expect, it } from "vitest";
import type { Account } from "#core/model/account.ts";
import type { CommentId, HeadSha } from "#core/model/ids.ts";
import { hourMs } from "#core/model/instant.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { buildWorld, openPulls } from "./build-world.ts";
import { codePath } from "./content.ts";
import { report } from "./deeds-signs.ts";
import { noteOrder } from "./deeds-words.ts";
import { pay } from "./money.ts";
import { restProblem } from "./oracle-rest.ts";
import { attend } from "./run-seed.ts";
import { addFact, type Installation, type World } from "./world.ts";

/** A world without any Drover, in which somebody does by hand, with the bot's token, what it must never do. */
interface Stage {
  readonly world: World;
  readonly installation: Installation;
  readonly pull: PullRef;
  readonly bot: Forge;
  readonly head: () => HeadSha;
  readonly say: (by: Account, words: string) => Promise<CommentId>;
  readonly order: (by: Account, word: string) => Promise<CommentId>;
  readonly pass: (ms: number) => Promise<void>;
}

const noFaults = new Set<string>();

async function setStage(): Promise<Stage> {
  const world = await findWorld();
  world.weather.clear();
  await openPulls(world);
  const [pull] = world.pulls;
  const [installation] = world.installations;
  if (pull === undefined || installation === undefined) throw new Error("an empty stage");
  const { sandbox, cast, repository } = world;
  const { merge } = installation.rules;
  installation.rules = { ...installation.rules, merge: { ...merge, when: "when_approved" } };
  await sandbox.as(cast.ada).editPull(pull, { isDraft: false });
  const changes = { [codePath]: "export const clean = 1;\n" };
  await sandbox.as(cast.ada).push({ repository, branch: "feature-1", changes, message: "clean" });
  sandbox.setPermission({ repository, account: cast.otto, permission: "read" });
  attend(world);
  const say: Stage["say"] = async (by, words) => await sandbox.as(by).comment(pull, words);
  return {
    world,
    installation,
    pull,
    bot: sandbox.clientOf(installation.bot),
    head: () => sandbox.look(pull).pull.head.sha,
    say,
    order: async (by, word) => {
      const comment = await say(by, `${installation.handle} ${word}`);
      const told = { installation, by, word, forMs: null, isWellFormed: true, comment, pull: pull.number };
      noteOrder(world, told);
      return comment;
    },
    pass: async (ms) => {
      attend(world);
      const until = world.scheduler.now() + ms;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a later time is a time.
      while ((await world.scheduler.step(until as ReturnType<World["scheduler"]["now"]>)) !== undefined) attend(world);
    },
  };
}

/** With GitHub's manners, one installation and reviews on: what the rules below are about. */
async function findWorld(): Promise<World> {
  for (let seed = 1; ; seed++) {
    const { world } = await buildWorld({ seed, off: noFaults, isTracing: false, target: null, scene: null });
    const [first] = world.installations;
    const isUsual = world.installations.length === 1 && first?.rules.reviews.automatic === "enabled";
    if (isUsual && world.sandbox.manner === "github") return world;
  }
}

/** Everything that a merge needs. */
async function makeMergeable({ world, installation, pull, head, pass }: Stage): Promise<void> {
  const { sandbox, cast } = world;
  read(world, installation, { pull: pull.number, head: head() });
  await pass(hourMs);
  await report(world, head(), "passed");
  await sandbox.as(cast.rita).review(pull, { event: "approve", body: "" });
  await sandbox.as(cast.rita).react(pull, "+1");
  await pass(hourMs);
}

function read(world: World, installation: Installation, at: { readonly pull: number; readonly head: HeadSha }): void {
  for (const { name } of installation.rules.reviews.roles) {
    const look = { installation: installation.name, role: name, head: at.head, base: "main", phase: "whole" } as const;
    addFact(world, { kind: "read", pull: at.pull, look });
  }
}

async function sayTwice({ bot, pull }: Stage): Promise<void> {
  const body = `<!-- drover:effect ${"ab".repeat(16)} -->\nSo it is.`;
  await bot.createComment({ pull, body });
  await bot.createComment({ pull, body });
}

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
      await makeMergeable(stage);
      await pushFix(stage);
    },
    /pushes to an approved head/,
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
