import { tellCost } from "#app/cost/cost-api.ts";
import { createQueueDesk } from "#app/queue/queue-desk.ts";
import type { SecretKeeper } from "#app/secrets/secret-keeper.ts";
import { findBlockSecret, secretVariable } from "#app/serve/block-secret-file.ts";
import type { DataFolder } from "#app/serve/data-folder.ts";
import { createFleet, type Fleet } from "#app/serve/fleet.ts";
import type { Hall } from "#app/serve/hall.ts";
import type { ServeOptions } from "#app/serve/serve-options.ts";
import type { Database } from "#database/database.ts";
import { openDatabase } from "#database/open-database.ts";
import { createRealGit } from "#git/real-git.ts";
import type { Clock } from "#ports/clock.ts";
import type { Git } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";
import type { Parts } from "#ports/parts.ts";
import { runPump } from "#reconcile/pump.ts";
import { runSweep } from "#reconcile/sweep.ts";
import { createWake } from "#reconcile/wake.ts";
import { createDeliveryLog } from "#store/delivery-log.ts";
import { createSqlStore } from "#store/sql-store.ts";

/** A reload may bring any kind of forge. Each installation is held to what its own forge needs. */
const gitProtocols = ["https", "http", "file"] as const;

/** What works behind the door. */
export interface Engine {
  readonly kind: Database["kind"];
  readonly apply: Fleet["apply"];
  close(withinMs: number): Promise<number>;
}

export async function startEngine(
  hall: Hall,
  place: {
    readonly options: ServeOptions;
    readonly folder: DataFolder;
    readonly clock: Clock;
    readonly log: Log;
    readonly secrets: SecretKeeper;
  },
): Promise<Engine> {
  const { options, folder, clock, log, secrets } = place;
  const isShared = options.databaseUrl !== undefined && options.databaseUrl !== "";
  const { env, searchPath } = options;
  const given = env[secretVariable];
  const secret = await findBlockSecret({ folder: folder.root, given, isShared, onRead: secrets.learn });
  const database = await openDatabase(
    isShared
      ? { kind: "postgres", url: options.databaseUrl, lockFolder: folder.database }
      : { kind: "embedded", folder: folder.database },
    {
      log,
      onLost: ({ message }) => {
        log.error({ why: message }, "the data folder is another's: the server ends at once");
        options.endNow(message);
      },
    },
  );
  const git = await openGit(folder.git, { searchPath, env }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const { health } = hall;
  const fleet = createFleet({ database, git, clock, log, secret, secrets, health });
  const wake = createWake(clock);
  const onWritten = (): void => {
    health.note("done");
    wake.ring();
  };
  const deliveries = createDeliveryLog({ database, clock, log, onWritten, onFailed: () => health.note("failed") });
  hall.intake = deliveries;
  hall.desk = { queue: createQueueDesk(database), cost: (asked) => tellCost(database, asked) };
  hall.fleet = fleet;
  const stopping = new AbortController();
  const installations = (): readonly Parts[] => fleet.list().map(({ parts }) => parts);
  const pumping = runPump({ deliveries, installations, clock, log, wake }, stopping.signal);
  let { retention } = options.config;
  const store = createSqlStore({ database });
  const sweeping = runSweep({ store, clock, log, retention: () => retention }, stopping.signal);
  return {
    kind: database.kind,
    apply: async (wanted) => {
      await fleet.apply(wanted);
      ({ retention } = wanted.config);
      // What was accepted for a forge that was not there yet has waited for it.
      wake.ring();
    },
    close: async (withinMs) => {
      hall.intake = null;
      hall.desk = null;
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
