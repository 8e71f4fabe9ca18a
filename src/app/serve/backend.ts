import { handleCostRequest } from "#app/cost/cost-api.ts";
import { createQueueAdmin } from "#app/queue/queue-admin.ts";
import type { SecretRegistry } from "#app/secrets/secret-registry.ts";
import { findBlockSecret, secretVariable } from "#app/serve/block-secret-file.ts";
import type { DataFolder } from "#app/serve/data-folder.ts";
import { createInstallations, type Installations } from "#app/serve/installations.ts";
import type { ServeOptions } from "#app/serve/serve-options.ts";
import type { ServerState } from "#app/serve/server-state.ts";
import type { Database } from "#database/database.ts";
import { openDatabase } from "#database/open-database.ts";
import { createRealGit } from "#git/real-git.ts";
import type { Clock } from "#ports/clock.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Git } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";
import { runDeliveryDrain } from "#reconcile/drain-deliveries.ts";
import { runRetentionSweep } from "#reconcile/retention-sweep.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import { createDeliveryInbox } from "#store/delivery-inbox.ts";
import { createSqlStore } from "#store/sql-store.ts";

/** A reload may bring any kind of forge. Each installation is held to what its own forge needs. */
const gitProtocols = ["https", "http", "file"] as const;

/** What works behind the door. */
export interface Backend {
  readonly kind: Database["kind"];
  readonly apply: Installations["apply"];
  close(withinMs: number): Promise<number>;
}

export async function startBackend(
  state: ServerState,
  place: {
    readonly options: ServeOptions;
    readonly folder: DataFolder;
    readonly clock: Clock;
    readonly log: Log;
    readonly secrets: SecretRegistry;
  },
): Promise<Backend> {
  const { options, folder, clock, log, secrets } = place;
  const isShared = options.databaseUrl !== undefined && options.databaseUrl !== "";
  const { env, searchPath } = options;
  const given = env[secretVariable];
  const secret = await findBlockSecret({ folder: folder.root, given, isShared, onRead: secrets.register });
  const database = await openDatabase(
    isShared
      ? { kind: "postgres", url: options.databaseUrl, lockFolder: folder.database }
      : { kind: "embedded", folder: folder.database },
    {
      log,
      onLost: ({ message }) => {
        log.error({ why: message }, "the data folder belongs to another process: the server ends at once");
        options.endNow(message);
      },
    },
  );
  const git = await openGit(folder.git, { searchPath, env }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const { health } = state;
  const fleet = createInstallations({ database, git, clock, log, secret, secrets, health });
  const wake = createWakeSignal(clock);
  const onWritten = (): void => {
    health.note("done");
    wake.notify();
  };
  const deliveries = createDeliveryInbox({ database, clock, log, onWritten, onFailed: () => health.note("failed") });
  state.intake = deliveries;
  state.desk = { queue: createQueueAdmin(database), cost: (asked) => handleCostRequest(database, asked) };
  state.installations = fleet;
  const stopping = new AbortController();
  const installations = (): readonly Dependencies[] => fleet.list().map(({ dependencies }) => dependencies);
  const pumping = runDeliveryDrain({ deliveries, installations, clock, log, wake }, stopping.signal);
  let { retention } = options.config;
  const store = createSqlStore({ database });
  const sweeping = runRetentionSweep({ store, clock, log, retention: () => retention }, stopping.signal);
  return {
    kind: database.kind,
    apply: async (wanted) => {
      await fleet.apply(wanted);
      ({ retention } = wanted.config);
      // What was accepted for a forge that was not there yet has waited for it.
      wake.notify();
    },
    close: async (withinMs) => {
      state.intake = null;
      state.desk = null;
      stopping.abort();
      try {
        // Together: the pump may wait for the same database, and what is running must not be held up by that.
        const [handedBack] = await Promise.all([fleet.stop(withinMs), pumping, sweeping]);
        return handedBack;
      } finally {
        await database.close();
      }
    },
  };
}

/** Only with the lock of the data folder: it clears away what the process that had the folder before has left. */
async function openGit(folder: string, { searchPath, env }: Pick<ServeOptions, "searchPath" | "env">): Promise<Git> {
  const git = await createRealGit({ folder, searchPath, protocols: gitProtocols, env });
  await git.pruneWorktrees([]);
  return git;
}
