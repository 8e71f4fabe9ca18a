import { minuteMs, secondMs } from "#core/model/instant.ts";
import { codePath, linesAt, readDefect } from "./content.ts";
import { tryTo } from "./deed.ts";
import { remarkOn } from "./deeds-signs.ts";
import { replyInThread } from "./deeds-threads.ts";
import { askAs, askQuestion, editComment, sayNearMiss, saySentence } from "./deeds-words.ts";
import { type Play, say } from "./play.ts";
import { type Scene, secretsScene } from "./scenes.ts";
import { playSuggestions } from "./suggestion-plays.ts";
import type { World } from "./world.ts";

/** What people do in a scene, before whatever else they do in this life. */
export async function playScene(world: World, scene: Scene | null, goOn: Play["goOn"]): Promise<void> {
  const [pull] = world.pulls;
  const [installation] = world.installations;
  if (pull === undefined || installation === undefined || scene === null) return;
  world.figures.sight(`scene: ${scene}`);
  const play: Play = { world, installation, pull, goOn };
  switch (scene) {
    case "session":
      return await playSession(play);
    case "request":
      return await playRequest(play);
    case "reviewers down":
      return await playReviewersDown(play);
    case "conversation":
      return await playConversation(play);
    case "questions":
      return await playQuestions(play);
    case "sentences":
      return await playSentences(play);
    case "reviews switched off":
      return await playSwitchedOff(play);
    case "signs against fixing":
      return await playSignsAgainstFixing(play);
    case "budget":
      return await playBudget(play);
    case secretsScene:
      return await playSecrets(play);
    case "suggestions":
      return await playSuggestions(play);
    // These change the rules alone.
    case "sleeper":
    case "code owners":
    case "short time-out":
    case "one-shot runs":
      return;
  }
}

/** Somebody with a say asks for changes, in a thread, of code that an agent can mend. */
async function playSession(play: Play): Promise<void> {
  await pushLine(play, 5);
  await play.goOn(30 * secondMs);
  await askForChanges(play);
  await play.goOn(6 * minuteMs);
}

/** Somebody with a say asks for a review of what was reviewed already. */
async function playRequest(play: Play): Promise<void> {
  await play.goOn(4 * minuteMs);
  await say(play, play.world.cast.mia, "review");
  await play.goOn(4 * minuteMs);
}

/** No reviewer answers until Drover gives up and calls for people. Then they answer again, and a push is reviewed. */
async function playReviewersDown(play: Play): Promise<void> {
  const { world, goOn } = play;
  world.minds.areReviewersDown = true;
  await pushLine(play, null);
  await goOn(20 * minuteMs);
  world.minds.areReviewersDown = false;
  await pushLine(play, null);
  await goOn(5 * minuteMs);
}

async function askForChanges({ world, pull }: Play): Promise<void> {
  const { sandbox, cast } = world;
  await tryTo(world, "mia asks for changes on a line", async () => {
    const remarks = [remarkOn(world, sandbox.look(pull).pull.head.sha)];
    await sandbox.as(cast.mia).review(pull, { event: "request_changes", body: "Not like this.", remarks });
  });
}

/** A line with a defect of this score, or a harmless one in the place of all defects. */
async function pushLine({ world, pull }: Play, score: number | null): Promise<void> {
  const { sandbox, cast, repository, hub, minds } = world;
  const { head } = sandbox.look(pull).pull;
  const name = `staged${minds.nextName++}`;
  await tryTo(world, `ada pushes ${score === null ? "clean code" : `a defect of score ${score}`}`, async () => {
    const before = linesAt(hub, head.sha);
    const lines =
      score === null
        ? [...before.filter((line) => readDefect(line) === undefined), `export const ${name} = 1;`]
        : [...before, `export const ${name} = "defect-${score}-${name}";`];
    const changes = { [codePath]: `${lines.join("\n")}\n` };
    await sandbox.as(cast.ada).push({ repository, branch: head.branch, changes, message: "staged" });
  });
}

const remarksMin = 5;

/** Five and more questions, and as many arguments about findings, some of them at once and some of them changed again. */
async function playConversation(play: Play): Promise<void> {
  const { world, goOn } = play;
  const { chance } = world;
  for (let count = 0; count < 2; count++) await pushLine(play, 5 + chance.below(5));
  await goOn(2 * minuteMs);
  const remarks = remarksMin + chance.below(4);
  for (let said = 0; said < remarks && world.problem === null; said++) {
    await askQuestion(world);
    await replyInThread(world);
    if (chance.isTrue(0.25)) await editComment(world);
    await goOn(chance.pick([0, 0, secondMs, 15 * secondMs, minuteMs]));
  }
  await goOn(3 * minuteMs);
}

/** One question after the other, of people whom Drover talks with, some of them at once and some of them changed again. */
async function playQuestions({ world, goOn }: Play): Promise<void> {
  const { chance, cast } = world;
  await goOn(chance.pick([0, minuteMs]));
  for (let asked = 20 + chance.below(10); asked > 0 && world.problem === null; asked--) {
    await askAs(world, chance.pick([cast.rita, cast.rita, cast.mia, cast.mia, cast.ada]));
    if (chance.isTrue(0.1)) await editComment(world);
    await goOn(chance.pick([0, 0, secondMs, 15 * secondMs, minuteMs]));
  }
  await goOn(3 * minuteMs);
}

/** Sentences that begin as a command does, while everything is there that a merge needs but the order to. */
async function playSentences(play: Play): Promise<void> {
  const { world, pull, goOn } = play;
  const { chance, cast, sandbox } = world;
  await pushLine(play, null);
  await goOn(4 * minuteMs);
  if (sandbox.look(pull).pull.state !== "open") return;
  const { head } = sandbox.look(pull).pull;
  await tryTo(world, "rita approves with review and thumb, and the checks pass", async () => {
    await sandbox
      .as(cast.ci)
      .report({ repository: world.repository, commit: head.sha, name: "build", state: "passed" });
    await sandbox.as(cast.rita).review(pull, { event: "approve", body: "" });
    await sandbox.as(cast.rita).react(pull, "+1");
  });
  for (let said = 0; said < 3 && world.problem === null; said++) {
    await (chance.isTrue(0.3) ? sayNearMiss : saySentence)(world);
    await goOn(chance.pick([secondMs, 20 * secondMs, minuteMs]));
  }
  await goOn(2 * minuteMs);
}

/** A clean head is read and approved, reviews are switched off, and what is pushed then is bad. */
async function playSwitchedOff(play: Play): Promise<void> {
  const { world, goOn } = play;
  const { chance, cast } = world;
  await pushLine(play, null);
  await goOn(chance.pick([4 * minuteMs, 4 * minuteMs, 20 * secondMs]));
  await say(play, chance.pick([cast.ada, cast.mia]), "disable-reviews");
  await goOn(chance.pick([0, secondMs, minuteMs, 3 * minuteMs]));
  await pushLine(play, chance.pick([9, 10, 7]));
  await goOn(chance.pick([secondMs, minuteMs, 5 * minuteMs]));
  if (chance.isTrue(0.4)) await say(play, cast.mia, chance.pick(["enable-reviews", "review", "cancel"]));
  await goOn(minuteMs);
}

/** Somebody asks for changes while something says that nobody should work on the branch. */
async function playSignsAgainstFixing(play: Play): Promise<void> {
  const { world, pull, goOn } = play;
  const { chance, cast, sandbox } = world;
  await pushLine(play, 5);
  await goOn(90 * secondMs);
  const sign = chance.pick(["hold", "draft", "eyes", "approval", "approval", "overtaken"] as const);
  await tryTo(world, `a sign against fixing: ${sign}`, async () => {
    if (sign === "hold") await say(play, cast.mia, "hold");
    if (sign === "draft") await sandbox.as(cast.ada).editPull(pull, { isDraft: true });
    if (sign === "eyes") await sandbox.as(cast.rita).react(pull, "eyes");
    if (sign === "approval") await approve(play);
  });
  await goOn(chance.pick([2 * minuteMs, 3 * minuteMs]));
  if (sign === "approval") {
    await tryTo(world, "rita thanks", async () => {
      await sandbox.as(cast.rita).comment(pull, chance.pick(["LGTM, thanks!", "Great work, thank you.", "Nice!"]));
    });
  } else await askForChanges(play);
  if (sign === "overtaken") {
    await goOn(chance.below(4 * minuteMs));
    await pushLine(play, null);
  }
  await goOn(6 * minuteMs);
}

async function approve({ world, pull }: Play): Promise<void> {
  const rita = world.sandbox.as(world.cast.rita);
  const has = world.sandbox
    .look(pull)
    .reactions.some(({ author, content }) => author.id === world.cast.rita.id && content === "+1");
  await rita.review(pull, { event: "approve", body: "" });
  if (!has) await rita.react(pull, "+1");
}

/** Two jobs with a role each: what one of them asks for comes and goes, and people give what a merge needs meanwhile. */
async function playSecrets(play: Play): Promise<void> {
  const { world, pull, goOn } = play;
  const { chance, cast, sandbox } = world;
  for (let round = 0; round < 3 && world.problem === null; round++) {
    if (sandbox.look(pull).pull.state !== "open") return;
    await pushLine(play, chance.isTrue(0.6) ? 7 + chance.below(4) : null);
    await goOn(chance.pick([secondMs, 2 * minuteMs, 5 * minuteMs]));
    if (chance.isTrue(0.5)) await bringAllButReviews(play);
    // What the account itself does starts no job; what people say does.
    await tryTo(world, "mia asks for news", async () => void (await sandbox.as(cast.mia).comment(pull, "Any news?")));
    await goOn(chance.pick([2 * minuteMs, 4 * minuteMs, 12 * minuteMs]));
  }
}

async function bringAllButReviews(play: Play): Promise<void> {
  const { world, pull } = play;
  const { sandbox, cast, repository } = world;
  const { head, state } = sandbox.look(pull).pull;
  if (state !== "open") return;
  await tryTo(world, "the checks pass, and rita approves", async () => {
    await sandbox.as(cast.ci).report({ repository, commit: head.sha, name: "build", state: "passed" });
    await approve(play);
  });
}

/** More is asked for than may be paid. */
async function playBudget(play: Play): Promise<void> {
  const { world, goOn } = play;
  const { chance, cast } = world;
  for (let asked = 0; asked < 4 && world.problem === null; asked++) {
    await pushLine(play, chance.isTrue(0.5) ? null : 6);
    if (chance.isTrue(0.5)) await askQuestion(world);
    if (chance.isTrue(0.3)) await say(play, cast.mia, "review");
    await goOn(chance.pick([10 * secondMs, minuteMs, 2 * minuteMs]));
  }
}
