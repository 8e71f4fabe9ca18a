import { readDefect } from "./content.ts";
import { type Deed, openPull, tryTo } from "./deed.ts";
import { writerOf } from "./doers.ts";
import { addFact, isWriter } from "./world.ts";

/** What people answer in the threads of the bot's findings: no handle is needed there. */
export const replyInThread: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast, sandbox, installations } = world;
  const threads = found.seen.threads.filter((thread) =>
    installations.some(({ bot }) => bot.id === thread.comments[0]?.author.id),
  );
  if (threads.length === 0) return;
  const thread = chance.pick(threads);
  const remark = thread.comments[0];
  const installation = writerOf(world, thread.id);
  const defect = readDefect(remark?.body ?? "")?.name;
  if (installation === undefined || defect === undefined) return;
  const by = chance.pick([cast.ada, cast.ada, cast.rita, cast.mia, cast.otto]);
  const kind = chance.pick(["dispute", "dispute", "waiver", "thanks"] as const);
  const number = world.minds.nextName++;
  const body = {
    dispute: `I disagree, this is on purpose (dispute ${number}).`,
    waiver: `Waived.`,
    thanks: `Thanks, will do (thanks ${number}).`,
  }[kind];
  await tryTo(world, `${by.login} replies to ${defect}: ${kind}`, async () => {
    const comment = await sandbox.as(by).reply(found.ref, thread.id, body);
    const argument = {
      comment,
      installation: installation.name,
      thread: thread.id,
      defect,
      kind,
      isPermitted: by === cast.ada || isWriter(world, by.id),
      isWriter: by.kind === "person" && isWriter(world, by.id),
    };
    addFact(world, { kind: "argued", pull: found.ref.number, argument });
  });
};

export const resolveThread: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const open = found.seen.threads.filter(({ isResolved }) => !isResolved);
  if (open.length === 0) return;
  const { id } = world.chance.pick(open);
  await tryTo(world, `rita resolves thread ${id}`, async () => {
    await world.sandbox.as(world.cast.rita).resolveThread(found.ref, id);
    world.figures.sight("a thread was resolved by a person");
  });
};
