import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { ForgePerson, ForgeTruth, ForgeWorld } from "#contract/forge/world.ts";
import type { Account } from "#core/model/account.ts";
import { type HeadSha, InstanceId } from "#core/model/ids.ts";
import { after, hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import { failureLog, someDependencies } from "#harness/some-dependencies.ts";
import type { Clock } from "#ports/clock.ts";
import { type Dependencies } from "#ports/dependencies.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { queueNames } from "#ports/queue.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { createReconciler, type Reconciler } from "#reconcile/reconciler.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import type { ProxiedRequest } from "./meddling-proxy.ts";
import { openRealWorld } from "./real-world.ts";

/** A small harness on a real server: people who act on it, and Drover's engine in this process, with real git. */
export interface RealHarness {
  readonly world: ForgeWorld;
  readonly repository: RepositoryRef;
  readonly people: Readonly<Record<"ada" | "rita" | "mia" | "drover", Account>>;
  readonly ada: ForgePerson;
  readonly rita: ForgePerson;
  /** Everything that was ever asked of the API through Drover's own connection. */
  readonly requests: readonly ProxiedRequest[];
  open(files: HostChanges, branch?: string): Promise<PullRef>;
  push(pull: PullRef, files: HostChanges): Promise<HeadSha>;
  look(pull: PullRef): Promise<ForgeTruth>;
  /** Somebody says that there is something to see: Drover looks, and works until nothing is due for a while. */
  settle(pull: PullRef): Promise<void>;
  /** The same without a word from anybody. */
  poll(): Promise<void>;
  /** The database is gone: from now on Drover knows what the pull tells, and nothing else. */
  forget(): Promise<void>;
  /** What Drover has written since, as `POST path`. */
  writesSince(mark: number): readonly string[];
  /** Throws where the log tells of a bug. */
  close(): Promise<void>;
}

export interface RealHarnessOptions {
  readonly rules?: z.input<typeof Rules>;
  /** Looks in the roles that have a model. */
  readonly model?: Reviewer;
}

/** Longer than anything that a look puts off. */
const settledMs = 3 * minuteMs;
const turnsMax = 300;

export async function buildRealHarness(version: string, options: RealHarnessOptions = {}): Promise<RealHarness> {
  const { world, requests } = await openRealWorld(version);
  const [ada, rita, mia, drover] = [
    await world.addAccount({ login: "ada", kind: "person" }),
    await world.addAccount({ login: "rita", kind: "person" }),
    await world.addAccount({ login: "mia", kind: "person" }),
    await world.addAccount({ login: "drover", kind: "bot" }),
  ];
  const repository = await world.createRepository({ name: "mia/tools", by: mia, files: { "README.md": "# Tools\n" } });
  for (const account of [ada, rita]) await world.setPermission({ repository, account, permission: "write" });
  // Who may write is told to admins alone, and approvals count by it.
  await world.setPermission({ repository, account: drover, permission: "admin" });
  const clock = hastyClock();
  const failures: string[] = [];
  const instance = InstanceId.parse(`real-${randomBytes(6).toString("hex")}`);
  const hire = (): Drover => {
    const dependencies = partsOf({ instance, world, drover, clock, failures, options });
    return { dependencies, reconciler: createReconciler(dependencies) };
  };
  let hired = hire();
  const work = async (): Promise<void> => {
    const { reconciler, dependencies } = hired;
    for (let turns = 0; turns < turnsMax; turns += 1) {
      if ((await reconciler.processNext()) === "worked") continue;
      const due = await dependencies.queue.nextDue(queueNames);
      if (due === undefined || due > after(clock.now(), settledMs)) return;
      clock.leap(Math.max(1, due - clock.now()));
    }
    throw new Error("the work does not come to an end");
  };
  return {
    world,
    repository,
    people: { ada, rita, mia, drover },
    ada: world.as(ada),
    rita: world.as(rita),
    requests,
    open: async (files, branch = "work") => {
      const person = world.as(ada);
      await person.push({ repository, branch, changes: files, message: "A change" });
      const pull = await person.openPull({ repository, branch, base: "main", title: "A change", body: "Please." });
      await world.settle(pull);
      return pull;
    },
    push: async (pull, files) => {
      const { branch } = (await world.look(pull)).pull.head;
      // Another second: what happens within one has no order.
      await world.pass(2 * secondMs);
      const head = await world.as(ada).push({ repository, branch, changes: files, message: "More" });
      await world.settle(pull);
      return head;
    },
    look: (pull) => world.look(pull),
    settle: async (pull) => {
      await world.pass(2 * secondMs);
      await hired.reconciler.poke(pull);
      await work();
    },
    poll: async () => {
      await world.pass(2 * secondMs);
      await hired.reconciler.poll(repository);
      await work();
    },
    forget: async () => {
      hired = hire();
    },
    writesSince: (mark) =>
      requests.slice(mark).flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`])),
    close: async () => {
      await world.close();
      if (failures.length > 0) throw new Error(`a bug: ${failures.join("; ")}`);
    },
  };
}

interface Drover {
  readonly dependencies: Dependencies;
  readonly reconciler: Reconciler;
}

interface HastyClock extends Clock {
  leap(ms: number): void;
}

/** Longer waits are for what does not come here: a lease that is about to run out. */
const sleepLeapMsMax = 10 * secondMs;

/** Drover's machine, whose clock leaps over what it waits for. The server has a clock of its own. */
function hastyClock(): HastyClock {
  const clock = createSystemClock();
  let ahead = 0;
  const leap = (ms: number): void => {
    ahead += ms;
  };
  return {
    now: () => after(clock.now(), ahead),
    sleep: async (ms, signal) => {
      if (ms > sleepLeapMsMax) await clock.sleep(ms, signal);
      else leap(Math.max(0, ms));
    },
    leap,
  };
}

function partsOf(made: {
  readonly instance: InstanceId;
  readonly world: ForgeWorld;
  readonly drover: Account;
  readonly clock: Clock;
  readonly failures: string[];
  readonly options: RealHarnessOptions;
}): Dependencies {
  const { instance, world, drover, clock, failures, options } = made;
  return someDependencies({
    instance,
    forge: world.clientOf(drover, clock),
    git: world.git,
    reviewers: { rules: rulesReviewer(), model: options.model ?? null, agent: null },
    clock,
    random: createSystemRandom(),
    log: failureLog(failures),
    // Else somebody who waits for an approval looks every half minute, and work would never come to an end.
    rules: { approval: { pollMs: hourMs }, ...options.rules },
  });
}
