import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createFastForwardClock, type FastForwardClock } from "#app/sandbox-stack/fast-forward-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { makeBlockSecret } from "#core/blocks/block-secret.ts";
import type { Account } from "#core/model/account.ts";
import { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { createRealGit } from "#git/real-git.ts";
import { createRealHost } from "#git/real-host.ts";
import { type Dependencies, defaultDurations } from "#ports/dependencies.ts";
import type { GitHost, HostChanges } from "#ports/git-host.ts";
import type { Log } from "#ports/log.ts";
import type { Notifier } from "#ports/notifier.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createReconciler, type Reconciler } from "#reconcile/reconciler.ts";
import type { TickReport } from "#reconcile/tick.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { createMemoryStore } from "#store/memory-store.ts";

export interface SandboxStack {
  readonly sandbox: Sandbox;
  readonly host: GitHost;
  readonly clock: FastForwardClock;
  readonly repository: RepositoryRef;
  readonly repositoryFolder: string;
  readonly people: StackAccounts;
  readonly dependencies: Dependencies;
  readonly reconciler: Reconciler;
}

/** Ada writes, rita reviews, mia owns the repository; `ci` and `drover` are bots. */
export type StackAccounts = Readonly<Record<"ada" | "rita" | "mia" | "ci" | "drover", Account>>;

export interface SandboxStackOptions {
  /** Holds the forge's repositories in `forge` and what Drover's git needs in `drover`. */
  readonly folder: string;
  readonly searchPath: string;
  readonly startAt: Instant;
  readonly repository: { readonly name: string; readonly files: HostChanges };
  readonly rules: Rules;
  readonly makeLog: (clock: FastForwardClock) => Log;
  readonly makeNotifier: (log: Log) => Notifier;
  readonly onTick: (report: TickReport) => void;
}

export async function openSandboxStack(options: SandboxStackOptions): Promise<SandboxStack> {
  const { folder, searchPath } = options;
  const clock = createFastForwardClock(options.startAt);
  const forgeFolder = join(folder, "forge");
  const host = await createRealHost({ folder: forgeFolder, searchPath });
  const sandbox = createSandbox({ host, clock, manner: "github" });
  const people = settlePeople(sandbox);
  const repository = await sandbox.createRepository({ ...options.repository, by: people.mia });
  for (const account of [people.ada, people.rita, people.ci] as const) {
    sandbox.setPermission({ repository, account, permission: "write" });
  }
  sandbox.setPermission({ repository, account: people.drover, permission: "admin" });
  const log = options.makeLog(clock);
  const dependencies: Dependencies = {
    instance: InstanceId.parse("sandbox"),
    forge: sandbox.clientOf(people.drover),
    git: await createRealGit({ folder: join(folder, "drover"), searchPath, protocols: ["file"], env: {} }),
    store: createMemoryStore(),
    queue: createMemoryQueue({ clock, random: createSystemRandom() }),
    reviewers: { rules: rulesReviewer(), model: null, agent: null },
    model: null,
    agent: suggestionsAgent(),
    notifier: options.makeNotifier(log),
    clock,
    random: createSystemRandom(),
    log,
    secret: makeBlockSecret(randomBytes(32)),
    rulesOf: async () => options.rules,
    durations: defaultDurations,
  };
  const reconciler = createReconciler(dependencies, { onTick: (_, report) => options.onTick(report) });
  sandbox.subscribe((delivery) => void reconciler.poke(delivery.pull));
  const repositoryFolder = join(forgeFolder, `${repository.name}.git`);
  return { sandbox, host, clock, repository, repositoryFolder, people, dependencies, reconciler };
}

function settlePeople(sandbox: Sandbox): StackAccounts {
  return {
    mia: sandbox.addAccount({ login: "mia", kind: "person" }),
    ada: sandbox.addAccount({ login: "ada", kind: "person" }),
    rita: sandbox.addAccount({ login: "rita", kind: "person" }),
    ci: sandbox.addAccount({ login: "ci", kind: "bot" }),
    drover: sandbox.addAccount({ login: "drover", kind: "bot" }),
  };
}
