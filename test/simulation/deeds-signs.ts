import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { codePath, linesAt } from "./content.ts";
import { type Deed, openPull, tryTo } from "./deed.ts";
import type { World } from "./world.ts";

/** What people show without words: thumbs, eyes, formal reviews; and what the CI reports. The forge knows all of it. */

export const thumb: Deed = async (world) => {
  const { chance, cast } = world;
  await react(world, chance.pick([cast.rita, cast.rita, cast.mia, cast.ada, cast.otto, cast.echo]), "+1");
};

export const eyes: Deed = async (world) => {
  const { chance, cast } = world;
  await react(world, chance.pick([cast.rita, cast.mia, cast.otto]), "eyes");
};

async function react(world: World, by: Account, content: "+1" | "eyes"): Promise<void> {
  const found = openPull(world);
  if (found === undefined) return;
  const isThere = found.seen.reactions.some((one) => one.author.id === by.id && one.content === content);
  await tryTo(world, `${by.login} ${isThere ? "takes back" : "gives"} ${content}`, async () => {
    const person = world.sandbox.as(by);
    await (isThere ? person.unreact(found.ref, content) : person.react(found.ref, content));
    if (isThere) world.figures.sight("a reaction was taken back");
  });
}

export const review: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast } = world;
  const by = chance.pick([cast.rita, cast.mia, cast.otto]);
  const event = chance.pick(["approve", "approve", "approve", "request_changes", "comment"] as const);
  const remarks = event === "approve" || chance.isTrue(0.5) ? [] : [remarkOn(world, found.seen.pull.head.sha)];
  await tryTo(world, `${by.login} reviews: ${event}`, async () => {
    const body = event === "approve" ? "" : "Hm, not like this.";
    await world.sandbox.as(by).review(found.ref, { event, body, remarks });
  });
};

/** On the last line of the code, which every pull adds. */
export function remarkOn({ hub }: World, head: HeadSha): ReviewRemark {
  const last = Math.max(1, linesAt(hub, head).length);
  return { path: codePath, side: "new", lines: { first: last, last }, body: "Why like this? Please change it." };
}

export const dismissReview: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast, sandbox } = world;
  const standing = found.seen.reviews.filter(({ state }) => state === "approved" || state === "changes_requested");
  if (standing.length === 0) return;
  const { id } = chance.pick(standing);
  await tryTo(world, `mia dismisses review ${id}`, async () => {
    await sandbox.as(cast.mia).dismissReview(found.ref, id);
    world.figures.sight("a review was dismissed");
  });
};

export const reportChecks: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const state = world.chance.pick(["passed", "passed", "passed", "failed", "pending"] as const);
  await report(world, found.seen.pull.head.sha, state);
};

/** The CI notices each head by itself. */
export async function report(
  world: World,
  commit: Parameters<ReturnType<World["sandbox"]["as"]>["report"]>[0]["commit"],
  state: "pending" | "passed" | "failed",
): Promise<void> {
  await tryTo(world, `the checks of ${commit.slice(0, 7)} are ${state}`, async () => {
    const { sandbox, cast, repository } = world;
    await sandbox.as(cast.ci).report({ repository, commit, name: "build", state });
  });
}
