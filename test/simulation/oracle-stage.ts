import type { Account } from "#core/model/account.ts";
import type { CommentId, HeadSha } from "#core/model/ids.ts";
import { hourMs } from "#core/model/instant.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { buildWorld, openPulls } from "./build-world.ts";
import { codePath } from "./content.ts";
import { report } from "./deeds-signs.ts";
import { noteOrder } from "./deeds-words.ts";
import { attend } from "./run-seed.ts";
import { addFact, type Installation, type World } from "./world.ts";

/** A world without any Drover, in which somebody does by hand, with the bot's token, what it must never do. */
export interface Stage {
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

export async function setStage(): Promise<Stage> {
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
export async function makeMergeable({ world, installation, pull, head, pass }: Stage): Promise<void> {
  const { sandbox, cast } = world;
  read(world, installation, { pull: pull.number, head: head() });
  await pass(hourMs);
  await report(world, head(), "passed");
  await sandbox.as(cast.rita).review(pull, { event: "approve", body: "" });
  await sandbox.as(cast.rita).react(pull, "+1");
  await pass(hourMs);
}

export function read(
  world: World,
  installation: Installation,
  at: { readonly pull: number; readonly head: HeadSha },
): void {
  for (const { name } of installation.rules.reviews.roles) {
    const look = { installation: installation.name, role: name, head: at.head, base: "main", phase: "whole" } as const;
    addFact(world, { kind: "read", pull: at.pull, look });
  }
}

export async function sayTwice({ bot, pull }: Stage): Promise<void> {
  const body = `<!-- drover:effect ${"ab".repeat(16)} -->\nSo it is.`;
  await bot.createComment({ pull, body });
  await bot.createComment({ pull, body });
}
