import { type Deed, openPull, tryTo } from "./deed.ts";
import { readOwnText } from "./own-text.ts";
import { addFact, type World } from "./world.ts";

/** Foul play, and a second bot that answers to everything. */

/** A text of the bot's own, with its marks and state blocks, under another name. */
export const copyBotText: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast, sandbox } = world;
  const bots = new Set(world.installations.map(({ bot }) => bot.id));
  const texts = world.pulls.flatMap((ref) => {
    const { comments, reviews } = sandbox.look(ref);
    return [...comments, ...reviews].filter(({ author }) => bots.has(author.id)).map(({ body }) => body);
  });
  if (texts.length === 0) return;
  const body = chance.isTrue(0.5) ? chance.pick(texts) : tamper(chance.pick(texts));
  const by = chance.pick([cast.otto, cast.ada]);
  await tryTo(world, `${by.login} copies a text of the bot's`, async () => {
    await sandbox.as(by).comment(found.ref, body);
    world.figures.sight("a state block was forged");
  });
};

function tamper(text: string): string {
  return text
    .replaceAll("refused", "obeyed")
    .replaceAll("changes_requested", "approved")
    .replaceAll("open", "resolved");
}

/** Somebody with the right to does away with a comment of the bot's. */
export const deleteBotComment: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast, sandbox } = world;
  const bots = new Set(world.installations.map(({ bot }) => bot.id));
  const own = found.seen.comments.filter(({ author }) => bots.has(author.id));
  if (own.length === 0) return;
  const { id, body } = chance.pick(own);
  await tryTo(world, `mia deletes comment ${id} of the bot`, async () => {
    for (const { subject } of readOwnText(body).blocks) world.minds.deleted.add(subject);
    await sandbox.as(cast.mia).deleteComment(found.ref, id);
    addFact(world, { kind: "unsaid", pull: found.ref.number, comment: id });
    world.figures.sight("a comment of the bot was deleted");
  });
};

/** Else the two of them would go on until the end of the world. */
const echoesMax = 4;

/** What the second bot says to whatever anybody says. */
export async function echo(world: World, pull: number): Promise<void> {
  const { chance, cast, sandbox, minds } = world;
  if (world.off.has("echo") || world.isEnding || minds.echoes >= echoesMax) return;
  const ref = world.pulls.find(({ number }) => number === pull);
  if (ref === undefined || sandbox.look(ref).pull.state !== "open") return;
  minds.echoes++;
  const installation = chance.pick(world.installations);
  const word = chance.pick(["merge", "status", "review", "thank you"]);
  const body = `${installation.handle} ${word}`;
  await tryTo(world, `echo says ${body}`, async () => {
    const comment = await sandbox.as(cast.echo).comment(ref, body);
    world.figures.sight("the second bot answered");
    if (word === "thank you") return;
    const isHeard = sandbox.manner === "gitea";
    const order = {
      comment,
      installation: installation.name,
      word,
      by: cast.echo.id,
      isPermitted: false,
      isWriter: false,
      isWellFormed: true,
      isHeard,
      forMs: null,
    };
    addFact(world, { kind: "ordered", pull, order });
  });
}
