import { trackRetries } from "#app/run/retry-tracking-queue.ts";
import { runPull } from "#app/run/run-pull.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { createBorder } from "./border.ts";
import { makeParts, type Workshop, workerClock } from "./drover-worker.ts";
import { newLife } from "./scheduler.ts";
import { type Installation, note, noteDetail, type Worker } from "./world.ts";

/** As many of one pull at once: a CI that is told so keeps one job for each pull and one that waits, others do not. */
const runsAtOnce = { grouped: 1, apart: 2 } as const;

const runMsMax = 30 * minuteMs;

/** Drover as a job of a CI: each event starts a run that knows nothing but the pull, and ends with its work. */
export function startOneShot(workshop: Workshop, installation: Installation, name: string): Worker {
  const { world, chance } = workshop;
  const atOnceMax = runsAtOnce[chance.isTrue(0.6) ? "grouped" : "apart"];
  const running = new Map<number, number>();
  const waiting = new Set<number>();
  let runs = 0;
  const start = (pull: PullRef): void => {
    const { number } = pull;
    if ((running.get(number) ?? 0) >= atOnceMax) {
      waiting.add(number);
      return;
    }
    running.set(number, (running.get(number) ?? 0) + 1);
    const life = newLife(`${name}.run${++runs}`);
    let isEnded = false;
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
      life.isOver = true;
      running.set(number, (running.get(number) ?? 1) - 1);
      if (waiting.delete(number)) start(pull);
    };
    // A job that was killed is started again by the next event alone.
    const onCrash = (_: unknown, at: string): void => {
      note(world, `${life.name} dies at ${at}`);
      world.figures.add("takeovers", 1);
      end();
    };
    const border = createBorder({ ...workshop.border, onCrash }, life);
    void run({ workshop, installation, border, life, pull }).then(end, (error: unknown) => {
      if (!life.isOver)
        world.problem ??= `${life.name} broke down: ${error instanceof Error ? error.stack : String(error)}`;
      end();
    });
  };
  return {
    name,
    life: newLife(name),
    clockOffsetMs: 0,
    isBusy: () => [...running.values()].some((count) => count > 0),
    poke: start,
    poll: () => {
      for (const pull of world.pulls) start(pull);
    },
    wake: () => undefined,
  };
}

interface Run {
  readonly workshop: Workshop;
  readonly installation: Installation;
  readonly border: ReturnType<typeof createBorder>;
  readonly life: ReturnType<typeof newLife>;
  readonly pull: PullRef;
}

async function run({ workshop, installation, border, life, pull }: Run): Promise<void> {
  const { world, random } = workshop;
  const clock = workerClock(world, life, () => 0);
  const { queue, retried } = trackRetries(createMemoryQueue({ clock, random }));
  const own: Installation = {
    ...installation,
    store: createMemoryStore(),
    queue,
    run: { life, startedAt: clock.now() },
    // Read from the base branch with each look, also by a run that has waited for another one.
    get rules() {
      return installation.rules;
    },
  };
  const dependencies = makeParts(workshop, own, { life, border, offsetMs: () => 0 });
  await runPull({
    dependencies,
    retried,
    repository: world.repository.name,
    number: pull.number,
    isReadOnly: false,
    isAnew: false,
    timeoutMs: runMsMax,
    triesMax: 3,
    signal: new AbortController().signal,
    tell: (line) => noteDetail(world, () => `${life.name}: ${line}`),
    lastError: () => null,
  });
}
