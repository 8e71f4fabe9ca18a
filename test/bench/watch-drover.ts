import { InstanceId } from "#core/model/ids.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { createGithubClient, type GithubSpent } from "#forges/github/github-client.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import { failureLog, someDependencies } from "#harness/some-dependencies.ts";
import { type Dependencies } from "#ports/dependencies.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { queueNames } from "#ports/queue.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createKnowingGit } from "./scale-git.ts";
import type { WatchSite } from "./watch-site.ts";

/** Drover on that site: the crank, the client and the pace of production, on a store and a queue in memory. */
export interface WatchingDrover {
  /** Works off what is due, and what comes due within this time. */
  pass(ms: number): Promise<void>;
  /** Until nothing but polls is due for the next hour, and a new hour of the forge's limits has just begun. */
  comeToRest(): Promise<void>;
  poke(pull: PullRef): Promise<void>;
}

export interface DroverOptions {
  readonly onSpent: (spent: GithubSpent) => void;
  readonly onLook: (pull: PullRef, seen: Observation) => void;
}

/** What a reaction may be late by, as the default rules have it; while it comes to rest there are none. */
const reactionMsMax = 30 * secondMs;
const settlingMsMax = 10 * minuteMs;
/** An approval that nobody gave is told after two hours: by then everything has been said. */
const settlingHoursMax = 12;
/** What was done last is seen by a poll of the hour that follows. */
const quietHoursMin = 2;

export async function startWatchingDrover(site: WatchSite, options: DroverOptions): Promise<WatchingDrover> {
  const { clock } = site;
  const failures: string[] = [];
  const dependencies = makeParts(site, { ...options, failures });
  let isSettling = true;
  const reconciler = createReconciler(dependencies, {
    isWatched: () => true,
    reactionMsMax: () => (isSettling ? settlingMsMax : reactionMsMax),
    onTick: (pull, report) => {
      if (report.kind === "looked") options.onLook(pull, report.seen);
    },
  });
  const repositories = [...new Set(site.refs.map(({ repository }) => repository.name))];
  const watchAll = async (): Promise<void> => {
    for (const name of repositories) await reconciler.watch(name);
  };
  await watchAll();
  /** Time passes within a turn only where it sleeps: before a write, and for the lease. */
  const turn = async (): Promise<"worked" | "idle"> => {
    const ended = new AbortController();
    const turning = reconciler.processNext().finally(() => ended.abort());
    while (!ended.signal.aborted) {
      await clock.advance(0);
      const wake = clock.nextWake();
      if (!ended.signal.aborted && wake !== undefined) await clock.advance(wake - clock.now());
    }
    const how = await turning;
    const [failure] = failures;
    if (failure !== undefined) throw new Error(failure);
    return how;
  };
  const pass = async (ms: number): Promise<void> => {
    const until = clock.now() + ms;
    for (;;) {
      while (clock.now() < until && (await turn()) === "worked");
      const due = (await dependencies.queue.nextDue(queueNames)) ?? Number.POSITIVE_INFINITY;
      if (due >= until || clock.now() >= until) break;
      await clock.advance(Math.max(1, due - clock.now()));
    }
    await clock.advance(Math.max(0, until - clock.now()));
  };
  return {
    pass,
    comeToRest: async () => {
      isSettling = true;
      const latest = clock.now() + settlingHoursMax * hourMs;
      for (let quietHours = 0; quietHours < quietHoursMin; ) {
        await pass(hourMs - (clock.now() % hourMs));
        const due = await dependencies.queue.nextDue(queueNames.filter((name) => name !== "poll"));
        quietHours = due === undefined || due > clock.now() + 2 * hourMs ? quietHours + 1 : 0;
        if (clock.now() > latest) throw new Error("Drover does not come to rest");
      }
      isSettling = false;
      // Those that were put off for longer are due at once.
      await watchAll();
    },
    poke: (pull) => reconciler.poke(pull),
  };
}

function makeParts(
  { github, access, clock, wire }: WatchSite,
  { onSpent, failures }: DroverOptions & { readonly failures: string[] },
): Dependencies {
  const instance = InstanceId.parse("github");
  const store = createMemoryStore();
  // It sleeps before it asks again, which it need not do here; if it must, the figures tell.
  const sleepless = { now: () => clock.now(), sleep: async () => undefined };
  const client = wire.over(createGithubClient({ url: github.url, access, clock: sleepless, onSpent }));
  return someDependencies({
    instance,
    forge: throttledForge({ forge: client, store, clock, instance, writeGapMs: secondMs }),
    git: createKnowingGit(),
    store,
    clock,
    // Reviews are asked for and not made by themselves: what is measured is watching.
    reviewers: { rules: null, model: null, agent: null },
    rules: { reviews: { automatic: "disabled" } },
    random: createSeededRandom(2),
    log: failureLog(failures),
  });
}
