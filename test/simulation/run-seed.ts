import { hourMs, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { almost } from "./almost.ts";
import { targetOf } from "./boundaries.ts";
import { buildWorld, openPulls } from "./build-world.ts";
import { doSomething, drawGapMs, startChecks } from "./deeds.ts";
import { echo } from "./deeds-forgery.ts";
import { sayMuch } from "./deeds-words.ts";
import { ringAll, startWorker, type Workshop } from "./drover-worker.ts";
import type { Counts } from "./figures.ts";
import { finale, finaleProblem } from "./finale.ts";
import { takeFacts } from "./historian.ts";
import { connectNetwork } from "./network.ts";
import { startOneShot } from "./one-shot-worker.ts";
import { changeProblem } from "./oracle.ts";
import { jobQueues } from "./oracle-ledger.ts";
import { restProblem } from "./oracle-rest.ts";
import { factProblem } from "./oracle-reviews.ts";
import { readOwnText } from "./own-text.ts";
import { playScene } from "./scene-plays.ts";
import { type Scene, sceneOf, secretsScene } from "./scenes.ts";
import type { Life } from "./scheduler.ts";
import { changeWords } from "./trace-words.ts";
import { type Installation, note, noteDetail, type World } from "./world.ts";

export interface SeedOptions {
  /** How many things people do; less makes a shorter story. */
  readonly deeds?: number;
  /** Actors and faults that are switched off. */
  readonly off?: ReadonlySet<string>;
  readonly isTracing?: boolean;
  /** Absent: as the seed draws it. */
  readonly scene?: Scene | undefined;
  readonly target?: { readonly crossing: string; readonly time: number } | null;
}

export interface SeedResult {
  readonly seed: number;
  readonly problem: string | null;
  readonly trace: readonly string[];
  readonly counts: Counts;
  readonly deeds: number;
}

/** Short lives and many of them: what two deeds do to each other is met more often than with long ones. */
const deedsMin = 1;
const deedsMax = 5;
/** A life that needs more looks than this has become a circle. */
const ticksMax = 600;
const eventsMax = 40_000;

/** One life of a pull or two, from its opening until everybody has gone home. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const { off = new Set(), isTracing = false, target = targetOf(seed) } = options;
  const scene = off.has("scene") ? null : (options.scene ?? sceneOf(seed, target));
  const built = await buildWorld({ seed, off, isTracing, target, scene });
  const { world } = built;
  // Drawn in any case: with a draw less, a shorter story would be another life.
  const drawnDeeds = deedsMin + world.chance.below(deedsMax - deedsMin + 1);
  const deeds = options.deeds ?? drawnDeeds;
  const workshop = openWorkshop(built);
  const started = world.scheduler.now();
  await live(world, workshop, { deeds, scene });
  world.figures.add("virtualMs", world.scheduler.now() - started);
  world.figures.add("events", world.scheduler.count());
  world.figures.add("changes", world.sandbox.history.length);
  if (world.problem !== null) note(world, world.problem);
  return { seed, problem: world.problem, trace: world.trace, counts: world.figures.counts, deeds };
}

/** Where workers come from: those that die are replaced by new ones. */
function openWorkshop(built: Pick<Workshop, "world" | "random" | "chance">): Workshop {
  const { world, chance } = built;
  const installationOf = ({ name }: Life): Installation | undefined =>
    world.installations.find((installation) => name.startsWith(`${installation.name}-`));
  const workshop: Workshop = {
    ...built,
    border: {
      scheduler: world.scheduler,
      chance,
      weather: world.weather,
      figures: world.figures,
      onCrash: (life, at) => {
        const installation = installationOf(life);
        note(world, `${life.name} dies at ${at}`);
        if (installation === undefined) return;
        world.figures.add("takeovers", 1);
        const lateMs = chance.below(takeoverMs);
        const happen = (): void => replace(workshop, installation, life.name);
        world.scheduler.plan({ at: instant(world.scheduler.now() + lateMs), life: null, happen });
      },
      onPause: (life, at, ms) => {
        const now = world.scheduler.now();
        const installation = installationOf(life);
        if (installation !== undefined) {
          installation.lastPause = joined(installation.lastPause, { from: now, until: now + ms });
          installation.pauses.set(at, (installation.pauses.get(at) ?? 0) + 1);
        }
        note(world, `${life.name} stands still for ${Math.round(ms / secondMs)} s at ${at}`);
      },
    },
  };
  return workshop;
}

/** Pauses of several workers that overlap, or nearly, are one: what any of them knew may be as old as the first. */
function joined(last: Installation["lastPause"], next: NonNullable<Installation["lastPause"]>): typeof next {
  if (last === null || last.until + 3 * minuteMs < next.from) return next;
  return { from: last.from, until: Math.max(last.until, next.until) };
}

function replace(workshop: Workshop, installation: Installation, name: string): void {
  const index = installation.workers.findIndex((worker) => worker.name === name);
  const [own = "", count = "1"] = name.split(".");
  const next = `${own}.${Number(count) + 1}`;
  installation.workers[index] = startWorker(workshop, installation, next);
  noteDetail(workshop.world, () => `${next} starts`);
}

async function live(
  world: World,
  workshop: Workshop,
  { deeds, scene }: { readonly deeds: number; readonly scene: Scene | null },
): Promise<void> {
  const { chance } = world;
  for (const installation of world.installations) {
    if (isOneShot(scene, installation)) {
      installation.lostAt = world.scheduler.now();
      installation.isOneShot = true;
      installation.workers.push(startOneShot(workshop, installation, `${installation.name}-1.1`));
      continue;
    }
    const count = installation.name === "drover" ? 2 + Number(chance.isTrue(0.3)) : 1;
    for (let number = 1; number <= count; number++) {
      installation.workers.push(startWorker(workshop, installation, `${installation.name}-${number}.1`));
    }
  }
  const network = connectNetwork(workshop);
  await openPulls(world);
  attend(world);
  if (chance.isTrue(0.015) && deeds > deedsMin) await sayMuch(world);
  await playScene(world, scene, (ms) => goOn(world, ms));
  for (let deed = 0; deed < deeds && world.problem === null; deed++) {
    await goOn(world, drawGapMs(world));
    if (world.problem === null) await doSomething(world);
    attend(world);
  }
  await goOn(world, minuteMs);
  await almost(world, (ms) => goOn(world, ms));
  note(world, "the weather clears, and everybody goes home");
  world.isEnding = true;
  world.weather.clear();
  for (const { workers } of world.installations) for (const worker of workers) worker.clockOffsetMs = 0;
  const last = await finale(world, async (ms) => {
    await goOn(world, ms);
    await putBack(world);
  });
  world.restsSince = world.scheduler.now();
  await comeToRest(world);
  network.close();
  if (world.problem === null && last !== undefined) world.problem = finaleProblem(world, last);
  if (world.problem === null) world.problem = await restProblem(world);
}

function isOneShot(scene: Scene | null, { name }: Installation): boolean {
  return name === "shepherd" ? false : scene === secretsScene || (scene === "one-shot runs" && name === "drover");
}

/** Lets time pass, and looks at everything that happens meanwhile. */
async function goOn(world: World, ms: number): Promise<void> {
  const until = instant(world.scheduler.now() + ms);
  while (world.problem === null) {
    if (world.figures.counts.totals.ticks > ticksMax) {
      world.problem = "liveness: it looks and looks and does not come to rest";
      return;
    }
    if (world.scheduler.count() > eventsMax) {
      world.problem = "liveness: it spins";
      return;
    }
    const happened = await world.scheduler.step(until);
    attend(world);
    if (happened === undefined) return;
  }
}

/** What is new on the forge and among the facts is judged; the CI and the second bot notice it too. */
export function attend(world: World): void {
  const { history } = world.sandbox;
  while (world.historyRead < history.length && world.problem === null) {
    const change = history[world.historyRead++];
    if (change === undefined) return;
    takeFacts(world, change);
    noteDetail(world, () => changeWords(change));
    const isBot = world.installations.some(({ bot }) => bot.id === change.by.id);
    if (isBot) world.figures.effect(change.what.kind);
    world.problem = changeProblem(world, change);
    if (change.pull === null || world.isEnding) continue;
    if (change.what.kind === "opened") startChecks(world, change.what.head);
    if (change.what.kind === "head_changed") startChecks(world, change.what.to);
    if (change.what.kind === "commented" && change.by.id !== world.cast.echo.id && world.chance.isTrue(0.05)) {
      void echo(world, change.pull.number);
    }
  }
  while (world.factsRead < world.facts.length && world.problem === null) {
    const fact = world.facts[world.factsRead++];
    if (fact !== undefined) world.problem = factProblem(world, fact);
  }
}

/** How long nothing must happen before everybody believes that nothing will: longer than from one poll to the next. */
const quietMs = 13 * minuteMs;
/** How long nobody may be there after a worker died; a poll that it did not survive is made good by the next one. */
const takeoverMs = 3 * minuteMs;
/** Whoever failed often waits for long before the next attempt. */
const restMsMax = 8 * hourMs;

/** As long as something is done or waits to be, and a while longer. */
async function comeToRest(world: World): Promise<void> {
  const until = world.scheduler.now() + restMsMax;
  let quietSince = world.scheduler.now();
  let changes = -1;
  let deaths = -1;
  while (world.problem === null && world.scheduler.now() < until) {
    await goOn(world, minuteMs);
    await putBack(world);
    const count = world.sandbox.history.length + world.facts.length;
    if (count !== changes) quietSince = world.scheduler.now();
    changes = count;
    const { takeovers } = world.figures.counts.totals;
    if (takeovers !== deaths) quietSince = instant(world.scheduler.now() + (deaths < 0 ? 0 : takeoverMs));
    deaths = takeovers;
    if (world.scheduler.now() - quietSince >= quietMs && !(await isBusy(world))) return;
  }
}

/** A comment says that a question is tried again, which may be a while later. */
function isAnswerPromised({ sandbox }: World, { bot }: Installation, ref: PullRef): boolean {
  const { pull, comments, threads } = sandbox.look(ref);
  if (pull.state !== "open") return false;
  return [...comments, ...threads.flatMap((thread) => thread.comments)].some(({ author, body }) => {
    if (author.id !== bot.id || !body.includes("It is tried again, and this comment becomes")) return false;
    const own = readOwnText(body);
    return !own.isBlanked && !own.isKeeping;
  });
}

/** An entry that has cost ten workers their lives is set aside, and the log says so: the operator puts it back. */
async function putBack(world: World): Promise<void> {
  for (const installation of world.installations) {
    const { name, queue } = installation;
    for (const buried of await queue.listQuarantined()) {
      await queue.restore(buried);
      ringAll(installation);
      note(world, `the operator of ${name} puts back what was set aside: ${buried.key}`);
    }
  }
}

/**
 * A look that is planned for later is no work; everything else is. So is a look that failed, or whose worker died: after
 * several of them the queue waits for long before it gives the entry to the next.
 */
async function isBusy(world: World): Promise<boolean> {
  for (const installation of world.installations) {
    const { queue, store, instance, workers, retriedTicks } = installation;
    if (workers.some((worker) => worker.isBusy())) return true;
    if ((await queue.nextDue(jobQueues(installation))) !== undefined) return true;
    const tickAt = await queue.nextDue(["tick"]);
    if (tickAt !== undefined && (tickAt < world.scheduler.now() + quietMs || retriedTicks.has(tickAt))) return true;
    for (const ref of world.pulls) {
      if ((await queue.find({ queue: "tick", key: pullKeyOf(instance, ref) })) === "running") return true;
      const open = await store.findOpenObligations(pullKeyOf(instance, ref));
      if (open.some(({ state }) => state.kind !== "ready")) return true;
      if (isAnswerPromised(world, installation, ref)) return true;
    }
  }
  return false;
}
