import type { Deed } from "./deed.ts";
import { secretsScene } from "./scenes.ts";
import { addFact, note } from "./world.ts";

/** The configuration of the base branch gets another role, or loses one. */
export const changeRoles: Deed = async (world) => {
  // There each job plays the role that it is there for.
  if (world.scene === secretsScene) return;
  const installation = world.chance.pick(world.installations);
  const living = installation.workers.find(({ life }) => !life.isOver);
  // Where nobody listens, the push is lost, and a pull on which nothing else happens is looked at hours later.
  if (living === undefined) return;
  const { rules } = installation;
  const names =
    rules.reviews.roles.length === 1 ? ["general", "security"] : [world.chance.pick(["general", "security"])];
  const roles = names.map((name) => ({ name, reviewer: "model" as const }));
  installation.rules = { ...rules, reviews: { ...rules.reviews, roles } };
  for (const { number } of world.pulls) {
    addFact(world, { kind: "roles", pull: number, installation: installation.name, roles: names });
  }
  world.figures.sight("the roles were changed");
  // The base branch was pushed to, and whoever listens looks at its pulls.
  for (const ref of world.pulls) living.poke(ref);
  note(world, `the roles of ${installation.name} are now ${names.join(" and ")}`);
};

/** The database is gone, and an empty one takes its place: what was in the queue is gone with it. */
export const loseStore: Deed = async (world) => {
  const installation = world.chance.pick(world.installations);
  if (world.off.has("store_lost") || installation.lostAt !== null || !world.weather.strikes("store_lost")) return;
  installation.lostAt = world.scheduler.now();
  installation.store.lose();
  installation.queue = installation.emptyQueue();
  world.figures.sight("the store was lost");
  note(world, `${installation.name} loses its database`);
};
