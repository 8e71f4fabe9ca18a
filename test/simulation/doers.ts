import type { Account } from "#core/model/account.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { Installation, World } from "./world.ts";

export function isShared({ installations }: World, { bot }: Installation): boolean {
  return installations.filter((other) => other.bot.id === bot.id).length > 1;
}

/**
 * The installation that did it; undefined where a person did. The forge knows accounts alone, but each installation acts with
 * an account object of its own.
 */
export function doerOf({ installations }: World, { by, what }: SandboxChange): Installation | undefined {
  const doer = installations.find(({ bot }) => bot === by) ?? installations.find(({ bot }) => bot.id === by.id);
  if (doer === undefined || what.kind !== "pushed") return doer;
  return installations.find(({ pushed }) => what.to !== null && pushed.has(what.to)) ?? doer;
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

/** Jobs that share an account act with an account object of their own each. */
export function isGateOf(world: World, installation: Installation, { by }: { readonly by: Account }): boolean {
  return isShared(world, installation) ? by === installation.bot : by.id === installation.bot.id;
}
