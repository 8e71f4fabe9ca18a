import type { Account } from "#core/model/account.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { type Deed, openPull, tryTo } from "./deed.ts";
import { addFact, type Installation, isWriter, type World } from "./world.ts";

/** What people say to Drover: commands and questions, well and badly put, changed and taken back. */

const authorWords = ["review", "cancel", "disable-reviews", "enable-reviews", "status", "help"] as const;
const writerWords = ["merge", "merge", "hold", "unhold", "fix", "stop-fixing"] as const;

/** How a command may be wrapped up and still be one. */
const wrappings: readonly ((handle: string, words: string) => string)[] = [
  (handle, words) => `${handle} ${words}`,
  (handle, words) => `${handle} ${words}`,
  (handle, words) => `Hello.\n\n${handle.toUpperCase()} ${words}`,
  (handle, words) => `  ${handle}: ${words}\n\nThank you.`,
  (handle, words) => `> ${handle} merge\n\n${handle}, ${words}`,
];

/** What looks like a command and is none. */
const inert: readonly ((handle: string) => string)[] = [
  (handle) => `> ${handle} merge\n\nWho said that?`,
  (handle) => `Try \`${handle} merge\` later.`,
  (handle) => `\`\`\`\n${handle} merge\n\`\`\``,
  (handle) => `<!-- ${handle} merge -->`,
  (handle) => `${handle}-x merge`,
];

/** What begins as a command does and is a sentence or a question: nobody orders anything by it. */
const sentences: readonly ((handle: string) => string)[] = [
  (handle) => `${handle} merge conflicts are my main worry here, please do not land this before Monday.`,
  (handle) => `${handle} merge? No, wait for the release.`,
  (handle) => `${handle} merge?`,
  (handle) => `${handle} merge it once the release is out`,
  (handle) => `${handle} fix is not the right word for what happened here`,
  (handle) => `${handle} hold on, is this the last one?`,
  (handle) => `${handle} unhold was wrong of me, sorry`,
  (handle) => `${handle} review took long today`,
  (handle) => `${handle} cancel culture has arrived at this project`,
  (handle) => `${handle} disable-reviews was a mistake last week`,
];

/** What would be a command, and is crossed out or shown as code: it is not even said to Drover. */
const crossedOut: readonly ((handle: string) => string)[] = [
  (handle) => `Like this:\n\n    ${handle} merge\n`,
  (handle) => `~~${handle} merge~~`,
  (handle) => `<del>\n${handle} merge\n</del>`,
  (handle) => `<kbd>${handle} merge</kbd>`,
  (handle) => `$$\n${handle} merge\n$$`,
];

/** What is almost a command: nothing follows from it but a hint. */
const nearMisses: readonly ((handle: string) => string)[] = [
  (handle) => `- ${handle} merge`,
  (handle) => `**${handle} merge**`,
  (handle) => `${handle} mereg`,
  (handle) => `1. ${handle} review`,
];

export const sayNearMiss: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast } = world;
  const by = chance.pick([cast.rita, cast.mia, cast.ada, cast.otto]);
  const installation = chance.pick(world.installations);
  const body = chance.pick(nearMisses)(installation.handle);
  await tryTo(world, `${by.login} says: ${JSON.stringify(body)}`, async () => {
    const comment = await world.sandbox.as(by).comment(found.ref, body);
    const saying = { comment, installation: installation.name, isPermitted: isConversant(world, by) };
    addFact(world, { kind: "missed", pull: found.ref.number, saying });
    world.figures.sight("a command was almost given");
  });
};

export const saySentence: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast } = world;
  const by = chance.pick([cast.rita, cast.mia, cast.ada]);
  const words = chance.pick([...sentences, ...crossedOut]);
  const installation = chance.pick(world.installations);
  const body = words(installation.handle);
  await tryTo(world, `${by.login} says: ${JSON.stringify(body)}`, async () => {
    const comment = await world.sandbox.as(by).comment(found.ref, body);
    if (sentences.includes(words)) {
      const isPermitted = isConversant(world, by);
      const saying = { comment, installation: installation.name, isPermitted };
      addFact(world, { kind: "addressed", pull: found.ref.number, saying });
    }
    world.figures.sight("a sentence began like a command");
  });
};

export const giveOrder: Deed = async (world) => {
  const { chance, cast } = world;
  const by = chance.pick([cast.ada, cast.ada, cast.rita, cast.rita, cast.mia, cast.otto]);
  const word = chance.pick([...authorWords, ...writerWords]);
  await sayOrder(world, by, word);
};

/** Of commands that somebody who may not gives, most are the dangerous ones. */
export const giveForbiddenOrder: Deed = async (world) => {
  const { chance, cast } = world;
  await sayOrder(world, chance.pick([cast.otto, cast.ada]), chance.pick(writerWords));
};

async function sayOrder(world: World, by: Account, word: string): Promise<void> {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, installations } = world;
  const installation = chance.pick(installations);
  const { words, forMs, isWellFormed } = drawArguments(world, word);
  const body = chance.pick(wrappings)(installation.handle, words);
  await tryTo(world, `${by.login} says ${installation.handle} ${words}`, async () => {
    const comment = await world.sandbox.as(by).comment(found.ref, body);
    noteOrder(world, { installation, by, word, forMs, isWellFormed, comment, pull: found.ref.number });
    world.minds.spoken.set(comment, { pull: found.ref.number, by: by.id, body });
  });
}

function drawArguments(world: World, word: string) {
  const { chance } = world;
  const plain = { words: word, forMs: null, isWellFormed: true };
  if (word === "disable-reviews") {
    return chance.pick([
      plain,
      { words: `${word} for 30m`, forMs: 30 * minuteMs, isWellFormed: true },
      { words: `${word} for 2h`, forMs: 2 * hourMs, isWellFormed: true },
      { words: `${word} for ever and a day`, forMs: null, isWellFormed: false },
      { words: `${word} 4h`, forMs: null, isWellFormed: false },
      { words: `${word} until tomorrow`, forMs: null, isWellFormed: false },
    ]);
  }
  if (word !== "fix") return plain;
  return chance.pick([
    plain,
    { ...plain, words: `${word} upto:$2 20m` },
    { ...plain, words: `${word} upto:lots`, isWellFormed: false },
  ]);
}

interface Said {
  readonly installation: Installation;
  readonly by: Account;
  readonly word: string;
  readonly forMs: number | null;
  readonly isWellFormed: boolean;
  readonly comment: Parameters<World["minds"]["spoken"]["set"]>[0];
  readonly pull: number;
}

export function noteOrder(world: World, { installation, by, pull, ...said }: Said): void {
  const writer = isWriter(world, by.id);
  const isAuthors = by === world.cast.ada && authorWords.some((word) => word === said.word);
  const isHeard = by.kind === "person" || world.sandbox.manner === "gitea";
  const order = {
    ...said,
    installation: installation.name,
    by: by.id,
    isWriter: writer,
    isHeard,
    isPermitted: isHeard && (writer || isAuthors),
  };
  addFact(world, { kind: "ordered", pull, order });
}

export const sayInert: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast } = world;
  const by = chance.pick([cast.rita, cast.mia]);
  const body = chance.pick(inert)(chance.pick(world.installations).handle);
  await tryTo(world, `${by.login} says something that is no command`, async () => {
    await world.sandbox.as(by).comment(found.ref, body);
    world.figures.sight("an inert command was said");
  });
};

/** Not to Drover at all; where fixing is on, it may be feedback. */
export const chat: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const by = world.chance.pick([world.cast.rita, world.cast.mia, world.cast.otto, world.cast.ada]);
  await tryTo(world, `${by.login} remarks something`, async () => {
    await world.sandbox.as(by).comment(found.ref, `Please rename this (remark ${world.minds.nextName++}).`);
  });
};

export const askQuestion: Deed = async (world) => {
  const { chance, cast } = world;
  await askAs(world, chance.pick([cast.ada, cast.rita, cast.mia, cast.otto]));
};

export async function askAs(world: World, by: Account): Promise<void> {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, minds } = world;
  const installation = chance.pick(world.installations);
  const wording = `question ${minds.nextName++}`;
  const body = `${installation.handle} why is this line here? (${wording})`;
  await tryTo(world, `${by.login} asks ${installation.handle} (${wording})`, async () => {
    const comment = await world.sandbox.as(by).comment(found.ref, body);
    noteQuestion(world, { pull: found.ref.number, by, installation, comment, wording });
    minds.spoken.set(comment, { pull: found.ref.number, by: by.id, body });
  });
}

function noteQuestion(
  world: World,
  asked: Pick<Said, "pull" | "by" | "installation" | "comment"> & { readonly wording: string },
): void {
  const { pull, by, installation, comment, wording } = asked;
  const isPermitted = isConversant(world, by);
  const question = { comment, installation: installation.name, thread: null, wording, isPermitted };
  addFact(world, { kind: "asked", pull, question });
}

/** Whether Drover talks with them. */
function isConversant(world: World, by: Account): boolean {
  return by === world.cast.ada || isWriter(world, by.id);
}

/** A comment is changed: a question asked anew, a command taken back or dressed up, a remark made a command. */
export const editComment: Deed = async (world) => {
  const { chance, minds, sandbox } = world;
  const spoken = [...minds.spoken].filter(([, said]) => world.pulls.some((ref) => ref.number === said.pull));
  if (spoken.length === 0) return;
  const [comment, said] = chance.pick(spoken);
  const ref = world.pulls.find(({ number }) => number === said.pull);
  const by = Object.values(world.cast).find(({ id }) => id === said.by);
  if (ref === undefined || by === undefined || sandbox.look(ref).pull.state !== "open") return;
  const asked = world.facts.findLast((fact) => fact.kind === "asked" && fact.question.comment === comment);
  if (asked?.kind === "asked") {
    const installation = world.installations.find(({ name }) => name === asked.question.installation);
    if (installation === undefined) return;
    const wording = `question ${minds.nextName++}`;
    const body = `${installation.handle} why is this line here? (${wording})`;
    await tryTo(world, `${by.login} rewords comment ${comment} (${wording})`, async () => {
      await sandbox.as(by).editComment(ref, comment, body);
      noteQuestion(world, { pull: ref.number, by, installation, comment, wording });
      minds.spoken.set(comment, { ...said, body });
      world.figures.sight("a question was reworded");
    });
    return;
  }
  const isTakenBack = chance.isTrue(0.4);
  const body = isTakenBack ? "Never mind." : `${said.body}\n\nThank you very much.`;
  await tryTo(world, `${by.login} ${isTakenBack ? "takes back" : "dresses up"} comment ${comment}`, async () => {
    await sandbox.as(by).editComment(ref, comment, body);
    if (isTakenBack) addFact(world, { kind: "unsaid", pull: ref.number, comment });
    minds.spoken.set(comment, { ...said, body });
    world.figures.sight(isTakenBack ? "a command was taken back" : "a command was dressed up");
  });
};

export const deleteComment: Deed = async (world) => {
  const { chance, minds, sandbox, cast } = world;
  if (minds.spoken.size === 0) return;
  const [comment, said] = chance.pick([...minds.spoken]);
  const ref = world.pulls.find(({ number }) => number === said.pull);
  if (ref === undefined || !sandbox.look(ref).comments.some(({ id }) => id === comment)) return;
  await tryTo(world, `mia deletes comment ${comment}`, async () => {
    await sandbox.as(cast.mia).deleteComment(ref, comment);
    addFact(world, { kind: "unsaid", pull: ref.number, comment });
    minds.spoken.delete(comment);
    world.figures.sight("a comment was deleted");
  });
};

/** More than one comment of the bot's can keep notes of: it has to go on in another. */
export async function sayMuch(world: World): Promise<void> {
  const { cast, chance } = world;
  const count = 30 + chance.below(20);
  for (let said = 0; said < count; said++) await sayOrder(world, cast.mia, said % 2 === 0 ? "hold" : "unhold");
  world.figures.sight("more was said than one comment keeps");
}
