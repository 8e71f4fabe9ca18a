import type { Account } from "#core/model/account.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { codePath, linesAt, readDefect } from "./content.ts";
import { tryTo } from "./deed.ts";
import { report } from "./deeds-signs.ts";
import { noteOrder } from "./deeds-words.ts";
import { type Installation, note, type World } from "./world.ts";

/** What is wrong, while everything else that a merge needs is there: whoever overlooks it merges. A race needs luck. */
const catches = [
  "nobody approves",
  "a stranger approves",
  "the author approves",
  "a bot approves",
  "the wrong sign",
  "an objection",
  "a hold",
  "a hold at the last moment",
  "red checks",
  "no checks yet",
  "a defect",
  "a draft",
  "pushed after the approval",
  "pushed in the race",
  "pushed in the race",
  "pushed in the race",
  "pointed elsewhere",
  "asked before the push",
  "asked by a stranger",
  "unread",
] as const;
const ownerless = "no owner approves";
type Catch = (typeof catches)[number] | typeof ownerless;

interface Scene {
  readonly world: World;
  readonly installation: Installation;
  readonly pull: PullRef;
  readonly what: Catch;
  readonly goOn: (ms: number) => Promise<void>;
}

/** A pull that has all but one of the things that it needs. Nobody has to merge it; the oracle looks that nobody does. */
export async function almost(world: World, goOn: Scene["goOn"]): Promise<void> {
  const { chance, sandbox } = world;
  const [pull] = world.pulls;
  const [installation] = world.installations;
  const isOwned = world.scene === "code owners";
  if (!(chance.isTrue(0.25) || isOwned) || pull === undefined || installation === undefined || world.off.has("almost"))
    return;
  if (installation.rules.merge.when === "never" || sandbox.look(pull).pull.state === "merged") return;
  const scene: Scene = { world, installation, pull, what: isOwned ? ownerless : chance.pick(catches), goOn };
  note(world, `everything is there but one thing: ${scene.what}`);
  world.figures.sight(`almost: ${scene.what}`);
  await prepare(scene);
  await finish(scene);
  await goOn(3 * minuteMs);
}

/** What is wrong from early on is said minutes before the last thing that is needed, so that everybody has seen it. */
async function prepare({ world, installation, pull, what, goOn }: Scene): Promise<void> {
  const { sandbox, cast } = world;
  const say = (by: Account, word: string): Promise<void> => order({ world, installation, pull }, by, word);
  await say(cast.mia, "enable-reviews");
  await say(cast.mia, what === "a hold" ? "hold" : "unhold");
  await say(cast.mia, "stop-fixing");
  if (what === "unread") await say(cast.ada, "disable-reviews");
  if (what === "no checks yet") await say(cast.mia, "disable-reviews");
  if (what === "an objection") await review(world, pull, cast.rita, "request_changes");
  await goOn(minuteMs + 10 * secondMs);
  if (what === "no checks yet") return;
  await push(world, pull, { withDefect: what === "a defect" });
  if (what === "a draft")
    await tryTo(world, "ada makes it a draft", () => sandbox.as(cast.ada).editPull(pull, { isDraft: true }));
  await goOn(4 * minuteMs);
}

async function finish(scene: Scene): Promise<void> {
  const { world, pull, what, goOn } = scene;
  const { chance, cast } = world;
  switch (what) {
    case "no checks yet":
      await push(world, pull, { withDefect: false });
      await goOn(1_100 + chance.below(2 * secondMs));
      break;
    case "pushed after the approval":
      await checks(scene, "failed");
      await goOn(chance.pick([0, secondMs, 30 * secondMs]));
      await approve(scene, cast.mia);
      await ask(scene, cast.mia);
      await goOn(chance.pick([0, 300, 900, 1_500, 30 * secondMs]));
      await push(world, pull, { withDefect: false });
      await goOn(chance.pick([2 * minuteMs, 4 * minuteMs]));
      return await checks(scene, "passed");
    case "pointed elsewhere":
      await checks(scene, "failed");
      await approve(scene, cast.mia);
      await ask(scene, cast.mia);
      await goOn(30 * secondMs);
      await retarget(scene);
      await goOn(3 * minuteMs);
      return await checks(scene, "passed");
    case "asked before the push":
      await ask(scene, cast.mia);
      await goOn(chance.pick([0, 300, 900, 30 * secondMs]));
      await push(world, pull, { withDefect: false });
      await goOn(3 * minuteMs);
      await checks(scene, "passed");
      return await approve(scene, cast.mia);
    default:
      await checks(scene, what === "red checks" ? "failed" : "passed");
  }
  await giveApproval(scene);
  await ask(scene, what === "asked by a stranger" ? chance.pick([cast.otto, cast.ada]) : cast.mia);
  await goOn(chance.below(what === "pushed in the race" ? 4 * secondMs : secondMs));
  if (what === "a hold at the last moment") await order(scene, cast.mia, "hold");
  if (what === "pushed in the race") await push(world, pull, { withDefect: chance.isTrue(0.5) });
}

async function giveApproval(scene: Scene): Promise<void> {
  const { world, pull, what, installation } = scene;
  const { cast, chance, sandbox } = world;
  const { protocols } = installation.rules.approval;
  switch (what) {
    case "nobody approves":
      return;
    case "a stranger approves":
      return await approve(scene, cast.otto);
    case "the author approves":
      return await thumb(world, pull, cast.ada);
    case "a bot approves":
      return await approve(scene, cast.ci);
    case "the wrong sign":
      if (protocols === "reviews") return await thumb(world, pull, cast.mia);
      return protocols === "emoji" ? await review(world, pull, cast.mia, "approve") : undefined;
    case ownerless:
      return await approve(scene, cast.mia);
    default:
      if (sandbox.look(pull).pull.state === "open")
        await approve(scene, what === "an objection" ? cast.mia : chance.pick([cast.mia, cast.rita]));
  }
}

async function push(world: World, pull: PullRef, { withDefect }: { readonly withDefect: boolean }): Promise<void> {
  const { sandbox, cast, repository, hub, minds } = world;
  const { pull: seen } = sandbox.look(pull);
  await tryTo(world, `ada pushes ${withDefect ? "a grave defect" : "something harmless"}`, async () => {
    const ada = sandbox.as(cast.ada);
    if (seen.state === "closed") await ada.editPull(pull, { state: "open" });
    if (seen.isDraft) await ada.editPull(pull, { isDraft: false });
    const kept = linesAt(hub, seen.head.sha).filter((line) => readDefect(line) === undefined);
    const name = `almost${minds.nextName++}`;
    const line = `export const ${name} = ${withDefect ? `"defect-10-${name}"` : "1"};`;
    const changes = { [codePath]: `${[...kept, line].join("\n")}\n` };
    await ada.push({ repository, branch: seen.head.branch, changes, message: "almost there" });
  });
}

async function retarget({ world, pull }: Scene): Promise<void> {
  const { sandbox, cast } = world;
  const base = sandbox.look(pull).pull.base.branch === "main" ? "next" : "main";
  await tryTo(world, `ada points the pull at ${base}`, () => sandbox.as(cast.ada).editPull(pull, { base }));
}

async function checks({ world, pull }: Scene, state: "passed" | "failed"): Promise<void> {
  await report(world, world.sandbox.look(pull).pull.head.sha, state);
}

/** With hand and thumb, so that it counts whatever the rules want. */
async function approve({ world, pull }: Scene, by: Account): Promise<void> {
  await review(world, pull, by, "approve");
  await thumb(world, pull, by);
}

async function review(world: World, pull: PullRef, by: Account, event: "approve" | "request_changes"): Promise<void> {
  const body = event === "approve" ? "" : "Not like this.";
  await tryTo(world, `${by.login} reviews: ${event}`, async () => {
    await world.sandbox.as(by).review(pull, { event, body });
  });
}

/** Given anew where it is there already: an old one says nothing about this head. */
async function thumb(world: World, pull: PullRef, by: Account): Promise<void> {
  const hands = world.sandbox.as(by);
  await tryTo(world, `${by.login} gives a thumb`, async () => {
    const { reactions } = world.sandbox.look(pull);
    const has = reactions.some(({ author, content }) => author.id === by.id && content === "+1");
    if (has) await hands.unreact(pull, "+1");
    await hands.react(pull, "+1");
  });
}

async function ask(scene: Scene, by: Account): Promise<void> {
  if (scene.installation.rules.merge.when === "on_command") await order(scene, by, "merge");
}

async function order(
  { world, installation, pull }: Pick<Scene, "world" | "installation" | "pull">,
  by: Account,
  word: string,
): Promise<void> {
  const { sandbox } = world;
  if (sandbox.look(pull).pull.state !== "open") return;
  await tryTo(world, `${by.login} says ${installation.handle} ${word}`, async () => {
    const comment = await sandbox.as(by).comment(pull, `${installation.handle} ${word}`);
    noteOrder(world, { installation, by, word, forMs: null, isWellFormed: true, comment, pull: pull.number });
  });
}
