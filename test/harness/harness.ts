import { inject } from "vitest";
import type { z } from "zod";
import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { type Instant, secondMs } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { type ListedBot, withListedBots } from "#forges/listed-bots.ts";
import type {
  Sandbox,
  SandboxDelivery,
  SandboxManner,
  SandboxPerson,
  SandboxPull,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import type { Agent } from "#ports/agent.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import type { Notice } from "#ports/notifier.ts";
import { type PullRef, pullKeyOf, type RepositoryRef } from "#ports/pull-ref.ts";
import type { Obligation } from "#ports/store.ts";
import { createReconciler, type ReconcilerOptions } from "#reconcile/reconciler.ts";
import type { TickReport } from "#reconcile/tick.ts";
import { at } from "#testing/makers.ts";
import { createMemoryGit, type MemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";
import { withBorder } from "./border.ts";
import { type HarnessEngine, type Installation, openHarnessDatabase } from "./database.ts";
import { type Fate, watchedFate } from "./fate.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createMachineClock, type MachineClock } from "./machine-clock.ts";
import { failureLog, someDependencies } from "./some-dependencies.ts";
import { openTestForge, type PullOpening } from "./test-forge.ts";
import { createWorkshop, type Worker } from "./workshop.ts";

/**
 * A small harness for stories: a sandbox forge with people on it, and a Drover that works there, all in memory and on one
 * virtual clock. Nothing happens by itself: a story says who does what, and how much time passes.
 */
export interface Harness extends Cast {
  readonly sandbox: Sandbox;
  readonly faults: Faults;
  /** The forge's time. */
  readonly clock: VirtualClock;
  /** Drover's. */
  readonly machine: MachineClock;
  readonly repository: RepositoryRef;
  /** What a worker is made of that has nothing special about it. */
  readonly dependencies: Dependencies;
  readonly notices: readonly Notice[];
  readonly reports: readonly TickReport[];
  /** Bugs, as the log has them. A story that expects none need not look: `pass` rejects. */
  readonly failures: string[];
  /** Another worker beside those that are there, on the same store and queue unless other parts are given. */
  hire(over?: Partial<Dependencies>, fate?: Fate): Worker;
  /** All workers go home. */
  dismissAll(): void;
  /** The database is gone: store and queue are empty, the worker is a new one. */
  loseDatabase(): Promise<void>;
  /** Another Drover's, which knows nothing of this one. */
  settleStranger(name: string): Installation;
  as(account: Account): SandboxPerson;
  /** Opens a pull of ada's with these files changed. */
  open(opening?: PullOpening): Promise<PullRef>;
  /** Ada, or somebody else, pushes to the branch of the pull. */
  push(pull: PullRef, changes: Readonly<Record<string, string | null>>, by?: Account): Promise<HeadSha>;
  look(pull: PullRef): SandboxPull;
  headOf(pull: PullRef): HeadSha;
  /** Works off what is due, and what comes due within this time, until then. */
  pass(ms: number): Promise<void>;
  /** Lets the poller wake the workers too, and works until nothing is due for the next seconds. */
  settle(): Promise<void>;
  /** One look, now. */
  tick(pull: PullRef): Promise<TickReport>;
  ledger(pull: PullRef): Promise<readonly Obligation[]>;
}

/** Ada writes pulls, rita may write to the repository, mia owns it, otto is nobody in particular. */
interface Cast {
  readonly ada: Account;
  readonly rita: Account;
  readonly mia: Account;
  readonly otto: Account;
  readonly bot: Account;
  /** Another bot with a mind of its own. */
  readonly robin: Account;
}

export interface HarnessOptions {
  readonly manner?: SandboxManner;
  readonly quirks?: Partial<SandboxQuirks>;
  readonly rules?: z.input<typeof Rules>;
  /** Accounts that the operator lists as bots. */
  readonly bots?: readonly ListedBot[];
  /** Other parts than the usual ones, made of them. */
  readonly parts?: (usual: Dependencies) => Partial<Dependencies>;
  /** What becomes of a delivery: by default it pokes once. */
  readonly network?: (delivery: SandboxDelivery, poke: (pull: PullRef) => void) => void;
  /** Whether the forge's limits are obeyed by the whole installation, with a gap between writes. */
  readonly isPaced?: boolean;
  readonly fate?: Fate;
  /** How its workers turn, where it is not as usual. */
  readonly crank?: Pick<ReconcilerOptions, "isWatched" | "reactionMsMax">;
  /** Somebody who changes code; it gets at the files of its workspace through the worker's git. */
  readonly agent?: (git: MemoryGit) => Agent;
  /** What stands between a worker and its git. */
  readonly git?: (git: Git) => Git;
  /** Whether the log may tell of bugs: in a story about them. */
  readonly expectsFailures?: boolean;
}

/** The forges of the stories. A database cannot tell one from the other, so on each engine there is another one. */
export const manners: readonly SandboxManner[] = mannersOn(inject("harnessEngine"));

function mannersOn(engine: HarnessEngine): readonly SandboxManner[] {
  switch (engine) {
    case "memory":
      return ["github", "gitea"];
    case "embedded":
      return ["github"];
    case "postgres":
      return ["gitea"];
    default:
      return never(engine);
  }
}

export async function buildHarness(options: HarnessOptions = {}): Promise<Harness> {
  const database = await openHarnessDatabase();
  const clock = createVirtualClock(at(0), database.underWay);
  const machine = createMachineClock(clock);
  const hub = createMemoryHub();
  const faults = createFaults();
  const forge = await openTestForge({
    hub,
    clock,
    manner: options.manner ?? "github",
    quirks: options.quirks ?? {},
    faults: faults.source,
    name: "acme/tools",
    files: { "README.md": "# Tools\n", "src/parser.ts": "export const parse = (text: string) => text.trim();\n" },
    people: {
      mia: "owner",
      ada: "stranger",
      rita: "write",
      otto: "stranger",
      drover: { kind: "bot", may: "admin" },
      robin: { kind: "bot", may: "stranger" },
    },
  });
  const { sandbox, repository } = forge;
  const { drover: bot, ...others } = forge.accounts;
  const cast: Cast = { ...others, bot };
  const notices: Notice[] = [];
  const reports: TickReport[] = [];
  const keep: ReconcilerOptions["onTick"] = (_, report) => reports.push(report);
  const failures: string[] = [];
  let hired = 0;
  const settle = (name: string): Installation =>
    database.settle(name, { clock: machine, random: createSeededRandom(1_000 + ++hired) });
  const makeParts = (): Dependencies => {
    const { instance, store, queue } = settle("harness");
    const plain = withListedBots(sandbox.clientOf(bot, machine), options.bots ?? []);
    const usual = someDependencies({
      instance,
      forge: options.isPaced
        ? throttledForge({ forge: plain, store, clock: machine, instance, writeGapMs: secondMs })
        : plain,
      git: createMemoryGit(hub),
      store,
      queue,
      notifier: {
        notify: async (notice) => {
          notices.push(notice);
        },
      },
      clock: machine,
      random: createSeededRandom(++hired),
      log: failureLog(failures),
      rules: options.rules,
    });
    return { ...usual, ...options.parts?.(usual) };
  };
  let parts = makeParts();
  const workshop = createWorkshop({
    clock,
    machine,
    replace: () => hire(),
  });
  const hire = (over: Partial<Dependencies> = {}, fate: Fate = watchedFate()): Worker => {
    const git = createMemoryGit(hub);
    const agent = options.agent?.(git) ?? null;
    const random = createSeededRandom(++hired);
    const own = { ...parts, git: options.git?.(git) ?? git, agent, random, ...over };
    const reconciler = createReconciler(withBorder(own, fate.border), { ...options.crank, onTick: keep });
    return workshop.add({ reconciler, dependencies: own, fate });
  };
  hire({}, options.fate);
  const poke = (pull: PullRef): void => void createReconciler(parts).poke(pull);
  sandbox.subscribe((delivery) =>
    options.network === undefined ? poke(delivery.pull) : options.network(delivery, poke),
  );

  const workOff = async (): Promise<Instant | undefined> => {
    const due = await workshop.workOff();
    if (failures.length > 0 && options.expectsFailures !== true) throw new Error(`a bug: ${failures.join("; ")}`);
    return due;
  };
  const msUntil = (due: Instant | undefined): number => {
    if (due === undefined) return Number.POSITIVE_INFINITY;
    if (due > machine.now()) return due - machine.now();
    // What is due and was not taken has to wait until somebody who is away comes back.
    return (clock.nextWake() ?? Number.POSITIVE_INFINITY) - clock.now();
  };
  const harness: Harness = {
    ...cast,
    sandbox,
    faults,
    clock,
    machine,
    repository,
    notices,
    reports,
    failures,
    get dependencies() {
      return parts;
    },
    hire,
    dismissAll: () => workshop.dismissAll(),
    settleStranger: settle,
    loseDatabase: async () => {
      await database.lose();
      parts = makeParts();
      workshop.dismissAll();
      hire();
    },
    as: (account) => sandbox.as(account),
    open: (opening) => forge.openPull(opening),
    push: async (pull, changes, by = cast.ada) => {
      const { branch } = sandbox.look(pull).pull.head;
      return await sandbox.as(by).push({ repository, branch, changes, message: "More" });
    },
    look: (pull) => sandbox.look(pull),
    headOf: (pull) => sandbox.look(pull).pull.head.sha,
    pass: async (ms) => {
      const end = clock.now() + ms;
      for (;;) {
        const stepMs = msUntil(await workOff());
        if (clock.now() + stepMs > end) break;
        await clock.advance(Math.max(1, stepMs));
      }
      await clock.advance(end - clock.now());
      await workOff();
    },
    settle: async () => {
      await harness.pass(10 * secondMs);
      for (const { reconciler } of workshop.workers) await reconciler.poll(repository).catch(ignoreForge);
      await harness.pass(10 * secondMs);
    },
    tick: async (pull) => {
      poke(pull);
      const before = reports.length;
      await workOff();
      const report = reports[before];
      if (report === undefined) throw new Error("nobody looked");
      return report;
    },
    ledger: (pull) => parts.store.listObligations(pullKeyOf(parts.instance, pull)),
  };
  return harness;
}

function ignoreForge(error: unknown): number {
  if (!(error instanceof ForgeError)) throw error;
  return 0;
}
