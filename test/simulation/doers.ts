import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { type Forge, forgeWrites } from "#ports/forge.ts";
import type { Installation, World } from "./world.ts";

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** The forge knows accounts alone. Of several installations with one account, the one that did something is noted here. */
export function notedForge(world: World, installation: Installation, forge: Forge): Forge {
  if (!isShared(world, installation)) return forge;
  const noted: Partial<Record<string, unknown>> = { ...forge };
  for (const method of forgeWrites) {
    const call: unknown = Reflect.get(forge, method);
    if (isMethod(call)) noted[method] = notedMethod(world, installation, call.bind(forge));
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same members, some of them with a note.
  return noted as unknown as Forge;
}

function notedMethod(world: World, { name, bot }: Installation, call: Method): Method {
  return async (...args) => {
    const { history } = world.sandbox;
    const from = history.length;
    try {
      return await call(...args);
    } finally {
      for (const change of history.slice(from)) if (change.by.id === bot.id) world.doers.set(change, name);
    }
  };
}

function isMethod(value: unknown): value is Method {
  return typeof value === "function";
}

export function isShared({ installations }: World, { bot }: Installation): boolean {
  return installations.filter((other) => other.bot.id === bot.id).length > 1;
}

/** The installation that did it; undefined where a person did. */
export function doerOf({ installations, doers }: World, change: SandboxChange): Installation | undefined {
  const name = doers.get(change);
  return installations.find((one) => (name === undefined ? one.bot.id === change.by.id : one.name === name));
}

/** The installation that wrote a comment, a review or the first remark of a thread. */
export function writerOf(world: World, id: string): Installation | undefined {
  const made = world.sandbox.history.find(({ what }) => {
    if (what.kind === "commented") return what.comment === id;
    if (what.kind === "reviewed") return what.review === id || what.threads.some((thread) => thread === id);
    return what.kind === "pending_review_left" && what.review === id;
  });
  return made === undefined ? undefined : doerOf(world, made);
}

/** Whether a text of the bot's account is the installation's own, and not its sibling's. */
export function isOwn(
  world: World,
  installation: Installation,
  { author, id }: { readonly author: { readonly id: string }; readonly id: string },
): boolean {
  if (author.id !== installation.bot.id) return false;
  return !isShared(world, installation) || writerOf(world, id) === installation;
}
