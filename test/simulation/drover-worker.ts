import { errorText } from "#core/error-text.ts";
import { type Instant, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { actionWords } from "#core/words/action-words.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import { someDependencies } from "#harness/some-dependencies.ts";
import type { Clock } from "#ports/clock.ts";
import { type Dependencies } from "#ports/dependencies.ts";
import { queueNames } from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";
import { createReconciler, type Reconciler } from "#reconcile/reconciler.ts";
import type { TickReport } from "#reconcile/tick.ts";
import { createMemoryGit, type MemoryGit } from "#testing/memory-git/memory-git.ts";
import { type Border, type BorderWorld, createBorder } from "./border.ts";
import type { Chance } from "./chance.ts";
import { parkedForge, parkedGit, parkedNotifier, parkedQueue, parkedStore } from "./parked-parts.ts";
import { type Life, newLife } from "./scheduler.ts";
import { createSimAgent } from "./sim-agent.ts";
import { createSimModel } from "./sim-model.ts";
import { createPaidReviewer, createSimReviewer } from "./sim-reviewer.ts";
import { createSimSuggester } from "./sim-suggester.ts";
import { type Installation, noteDetail, type Worker, type World } from "./world.ts";

export interface Workshop {
  readonly world: World;
  readonly border: BorderWorld;
  readonly random: Random;
  /** What happens to machines is drawn here. */
  readonly chance: Chance;
}

/** A process of Drover: a crank that turns, on what its installation shares and a git of its own. */
export function startWorker(workshop: Workshop, installation: Installation, name: string): Worker {
  const { world, chance } = workshop;
  const life = newLife(name);
  const border = createBorder(workshop.border, life);
  const dependencies = makeParts(workshop, installation, { life, border, offsetMs: () => worker.clockOffsetMs });
  const reconciler = createReconciler(dependencies, {
    // Half of them leave reactions to the polls.
    isWatched: () => world.seed % 2 === 0,
    onTick: (pull, report) => {
      world.figures.add("ticks", 1);
      noteDetail(world, () => `${name} looks at pull ${pull.number}: ${tickWords(report)}`);
    },
  });
  const bell = createBell(world, life);
  const guarded = (what: string, work: () => Promise<unknown>): void => {
    work().catch((error: unknown) => {
      if (life.isOver) return;
      world.problem ??= `${name}: ${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    });
  };
  const worker: Worker = {
    name,
    life,
    clockOffsetMs: 0,
    // What it works on is in the queue.
    isBusy: () => false,
    poke: (pull) => guarded("a poke", () => reconciler.poke(pull)),
    poll: () => guarded("a poll", () => pollOnce(world, name, reconciler)),
    wake: () => bell.ring(),
  };
  if (world.weather.strikes("clock_jump")) worker.clockOffsetMs = chance.below(4 * minuteMs) - 2 * minuteMs;
  guarded("its work", () => turnForever({ world, installation, reconciler, bell, chance }));
  return worker;
}

function tickWords(report: TickReport): string {
  if (report.kind !== "looked") return report.kind === "stale" ? report.why : report.kind;
  return report.did.map(({ action, outcome }) => `${actionWords(action)} (${outcome.kind})`).join("; ");
}

/** The poller tries again next time; what it could not ask is no bug. */
async function pollOnce(world: World, name: string, reconciler: Reconciler): Promise<void> {
  try {
    await reconciler.poll(world.repository);
  } catch (error) {
    noteDetail(world, () => `${name}: polling came to nothing: ${errorText(error)}`);
  }
}

async function turnForever(work: {
  readonly world: World;
  readonly installation: Installation;
  readonly reconciler: Reconciler;
  readonly bell: Bell;
  readonly chance: Chance;
}): Promise<void> {
  for (;;) {
    const turned = await work.reconciler.processNext();
    if (turned === "worked") continue;
    // Looked up beside the border: how long to wait is no effect, and most of what a worker does is waiting.
    const due = await work.installation.queue.nextDue(queueNames);
    await work.bell.wait(due, work.chance.below(2 * secondMs));
  }
}

/** What an idle worker waits for: that something is due, or that somebody rings. */
interface Bell {
  wait(due: Instant | undefined, lateMs: number): Promise<void>;
  ring(): void;
}

function createBell({ scheduler }: World, life: Life): Bell {
  let ring: (() => void) | null = null;
  return {
    wait: (due, lateMs) =>
      new Promise((resolve) => {
        let isOver = false;
        const stop = (): void => {
          if (isOver) return;
          isOver = true;
          ring = null;
          resolve();
        };
        if (due !== undefined)
          scheduler.plan({ at: instant(Math.max(due, scheduler.now()) + lateMs), life, happen: stop });
        ring = () => scheduler.plan({ at: instant(scheduler.now() + lateMs), life, happen: stop });
      }),
    ring: () => ring?.(),
  };
}

export function makeParts(
  { world, random }: Workshop,
  installation: Installation,
  own: { readonly life: Life; readonly border: Border; readonly offsetMs: () => number },
): Dependencies {
  const { border } = own;
  const clock = workerClock(world, own.life, own.offsetMs);
  const store = parkedStore(installation, border);
  const git = createMemoryGit(world.hub);
  const paid = createPaidReviewer(world, installation, border);
  const { budgets } = installation;
  const client = world.sandbox.clientOf(installation.bot, clock, installation.gateName);
  const forge = parkedForge(client, border);
  const say = (level: string) => (facts: object, message: string) =>
    noteDetail(world, () => `${own.life.name}: ${level}: ${message} ${JSON.stringify(facts)}`);
  return someDependencies({
    instance: installation.instance,
    forge: throttledForge({ forge, store, clock, instance: installation.instance, writeGapMs: 200 }),
    git: parkedGit(world, git, { border, pushed: installation.pushed }),
    store,
    queue: parkedQueue(installation, border),
    reviewers: { rules: createSimReviewer(world, installation, border), model: paid, agent: paid },
    model: createSimModel(world, installation, border),
    agent: agentOf(world, installation, { border, git }),
    notifier: parkedNotifier(world, border),
    clock,
    random,
    log: { info: say("info"), warn: say("warning"), error: say("error") },
    secret: installation.secret,
    rulesOf: async () => installation.rules,
    ...(budgets === null ? {} : { budgets: () => budgets }),
  });
}

function agentOf(
  world: World,
  installation: Installation,
  tools: { readonly border: Border; readonly git: MemoryGit },
) {
  return world.scene === "suggestions" ? createSimSuggester(tools) : createSimAgent(world, installation, tools);
}

export function workerClock({ scheduler }: World, life: Life, offsetMs: () => number): Clock {
  return {
    now: () => instant(scheduler.now() + offsetMs()),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const until = instant(scheduler.now() + Math.max(0, ms));
        const wake = (): void => {
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        scheduler.plan({ at: until, life, happen: wake });
        signal?.addEventListener("abort", wake, { once: true });
      }),
  };
}

/** Told to everybody who has nothing to do: there is something in the queue. */
export function ringAll({ workers }: Installation): void {
  for (const worker of workers) if (!worker.life.isOver) worker.wake();
}
