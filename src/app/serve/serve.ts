import { consoleLog } from "#app/console-log.ts";
import { costPath, tellCost } from "#app/cost/cost-api.ts";
import { type BilledForge, forgeMetrics } from "#app/forge/forge-bill.ts";
import { gatherLines } from "#app/gather-lines.ts";
import { createModelBill, type ModelBill, modelMetrics } from "#app/models/model-bill.ts";
import { queuePaths, tellOverview, tellRetry } from "#app/queue/queue-api.ts";
import { createQueueDesk, type QueueDesk } from "#app/queue/queue-desk.ts";
import { queueMetrics } from "#app/queue/queue-metrics.ts";
import { guardedLog } from "#app/secrets/guarded-log.ts";
import { createSecretKeeper, type SecretKeeper } from "#app/secrets/secret-keeper.ts";
import { learnSurroundings } from "#app/secrets/surroundings.ts";
import { bringForwardIn } from "#app/serve/batch-door.ts";
import { findBlockSecret, StartError, secretVariable } from "#app/serve/block-secret-file.ts";
import { type DataFolder, openDataFolder } from "#app/serve/data-folder.ts";
import { createDatabaseHealth, type DatabaseHealth } from "#app/serve/database-health.ts";
import { deliveryMetrics } from "#app/serve/delivery-metrics.ts";
import { explainStart } from "#app/serve/explain-start.ts";
import { createFleet, type Fleet } from "#app/serve/fleet.ts";
import { type OpenWanted, openWanted, type WantedPlace } from "#app/serve/open-wanted.ts";
import { removeServerFile, writeServerFile } from "#app/serve/server-file.ts";
import { type Addressees, webhookSources } from "#app/serve/webhook-sources.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import type { InstanceId } from "#core/model/ids.ts";
import type { Database } from "#database/database.ts";
import { openDatabase } from "#database/open-database.ts";
import { createRealGit } from "#git/real-git.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { Clock } from "#ports/clock.ts";
import type { Git } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";
import type { Parts } from "#ports/parts.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";
import { runPump } from "#reconcile/pump.ts";
import { runSweep } from "#reconcile/sweep.ts";
import { createWake } from "#reconcile/wake.ts";
import type { ApiCall } from "#server/api-routes.ts";
import { createHttpServer, type HttpServer } from "#server/http-server.ts";
import type { Readiness } from "#server/status-routes.ts";
import { createDeliveryLog, type DeliveryLog } from "#store/delivery-log.ts";
import { createSqlStore } from "#store/sql-store.ts";

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Undefined or empty: the embedded database in the data folder. */
  readonly databaseUrl: string | undefined;
  readonly config: OperatorConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly searchPath: string;
  readonly writeLog: (line: string) => void;
  /** Ends the process at once, as failed: where to go on would do harm, or to wait does not help. */
  readonly endNow: (why: string) => void;
}

export interface RunningServer {
  readonly url: string;
  /** Puts another configuration into force, or throws and changes nothing. */
  reload(config: OperatorConfig): Promise<void>;
  /** Takes nothing new, ends what is running or hands it back in time, and leaves nothing open. */
  stop(): Promise<void>;
}

/**
 * Puts everything together. The door is open from the first moment, so that whoever watches sees that it is not ready
 * yet; webhooks are taken as soon as they can be written down.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const folder = await openDataFolder(options.dataFolder);
  const clock = createSystemClock();
  const plainLog = consoleLog({ write: gatherLines({ write: options.writeLog, process }), clock });
  const secrets = createSecretKeeper(plainLog);
  learnSurroundings(secrets, { ...options.env, DATABASE_URL: options.databaseUrl });
  const log = guardedLog(plainLog, secrets);
  const places = { env: options.env, readFile: options.readFile, onRead: secrets.learn };
  const place: WantedPlace = { places, clock, log, bill: createModelBill(), secrets };
  const wanted = await openWanted(options.config, place);
  const hall = openHall(place, wanted);
  const url = await listen(hall, options);
  let engine: Engine | undefined;
  try {
    engine = await startEngine(hall, { options, folder, clock, log, secrets });
    await engine.apply(wanted);
    const token = createSystemRandom().token();
    secrets.learn({ name: "the token of the server file", value: token });
    hall.token = token;
    await writeServerFile(folder.serverFile, { url, pid: process.pid, token });
    hall.readiness = { kind: "ready" };
    log.info({ url, engine: engine.kind, forges: options.config.forges.map(({ name }) => name) }, "server is ready");
    return running({ url, hall, engine, folder, options, place });
  } catch (error) {
    await hall.server.close({ deadlineMs: 0 });
    // Else it would go on without a door, and keep the folder from the next one.
    await engine?.close(0);
    throw explainStart(error);
  }
}

/** Where requests come in, and what they find there. It changes while the server starts. */
interface Hall {
  readonly server: HttpServer;
  readonly health: DatabaseHealth;
  readiness: Readiness;
  intake: DeliveryLog | null;
  desk: Desk | null;
  token: string | null;
  sources: readonly WebhookSource[];
  batchWebhook: BatchWebhook | null;
  fleet: Fleet | null;
}

function openHall(
  { clock, log, bill }: { readonly clock: Clock; readonly log: Log; readonly bill: ModelBill },
  { accesses, batchWebhook }: OpenWanted,
): Hall {
  const hall: Hall = {
    health: createDatabaseHealth(clock),
    readiness: { kind: "not_ready", why: "starting" },
    intake: null,
    desk: null,
    token: null,
    sources: [],
    batchWebhook,
    fleet: null,
    server: createHttpServer({
      intake: { accept: async (reference) => (await hall.intake?.accept(reference)) ?? "busy" },
      sources: () => hall.sources,
      clock,
      log,
      random: createSystemRandom(),
      isReady: () => readinessOf(hall),
      metrics: async () => [
        ...forgeMetrics(billsOf(hall.fleet)),
        ...modelMetrics(bill),
        ...(await deliveryMetrics(hall.intake)),
        ...(hall.desk === null ? [] : queueMetrics(await hall.desk.queue.counts(), instancesOf(hall.fleet))),
      ],
      batches: { openai: () => hall.batchWebhook, bringForward: bringForwardIn(() => hall.fleet) },
      api: { token: () => hall.token, calls: apiCalls(() => hall.desk) },
    }),
  };
  hall.sources = webhookSources(accesses, addresseesIn(hall));
  return hall;
}

/** Deliveries are taken all the same: what cannot be written down is answered as such, and the next may be. */
function readinessOf({ readiness, health }: Hall): Readiness {
  const trouble = readiness.kind === "ready" ? health.findTrouble() : null;
  return trouble === null ? readiness : { kind: "not_ready", why: trouble };
}

function billsOf(fleet: Fleet | null): readonly BilledForge[] {
  const installations = fleet?.list() ?? [];
  return installations.map(({ parts, bill }) => ({ name: parts.instance, bill, budget: parts.forge.findBudget() }));
}

function instancesOf(fleet: Fleet | null): readonly InstanceId[] {
  return fleet?.list().map(({ parts }) => parts.instance) ?? [];
}

function addresseesIn(hall: Hall): Addressees {
  const find = (instance: InstanceId) => hall.fleet?.list().find(({ parts }) => parts.instance === instance);
  return {
    isBot: (instance, account) => find(instance)?.findBot()?.id === account,
    listAgain: (instance) => find(instance)?.listAgain(),
  };
}

/** What the command line asks about. */
interface Desk {
  readonly queue: QueueDesk;
  readonly cost: ApiCall["serve"];
}

function apiCalls(desk: () => Desk | null): readonly ApiCall[] {
  const withDesk =
    (tell: (desk: Desk, asked: unknown) => ReturnType<ApiCall["serve"]>): ApiCall["serve"] =>
    async (asked) => {
      const open = desk();
      return open === null ? { status: 503, content: { error: "starting or stopping" } } : await tell(open, asked);
    };
  return [
    { method: "GET", path: queuePaths.overview, serve: withDesk(({ queue }) => tellOverview(queue)) },
    { method: "POST", path: queuePaths.retry, serve: withDesk(({ queue }, asked) => tellRetry(queue, asked)) },
    { method: "POST", path: costPath, serve: withDesk(({ cost }, asked) => cost(asked)) },
  ];
}

async function listen({ server }: Hall, { host, port }: ServeOptions): Promise<string> {
  try {
    const bound = await server.listen({ host, port });
    return `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const advice = code === "EADDRINUSE" ? "something listens there already: choose another one with --port" : code;
    throw new StartError(`cannot listen on ${host} port ${port}: ${advice}`, { cause: error });
  }
}

/** A reload may bring any kind of forge. Each installation is held to what its own forge needs. */
const gitProtocols = ["https", "http", "file"] as const;

/** What works behind the door. */
interface Engine {
  readonly kind: Database["kind"];
  readonly apply: Fleet["apply"];
  close(withinMs: number): Promise<number>;
}

async function startEngine(
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

interface RunningParts {
  readonly url: string;
  readonly hall: Hall;
  readonly engine: Engine;
  readonly folder: DataFolder;
  readonly options: ServeOptions;
  readonly place: WantedPlace;
}

function running({ url, hall, engine, folder, options, place }: RunningParts): RunningServer {
  let { config } = options;
  let isStopping = false;
  /** One after the other: two reloads at once would start an installation twice. */
  let last: Promise<void> = Promise.resolve();
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    await mine;
  };
  return {
    url,
    reload: async (next) =>
      await inTurn(async () => {
        // It would open what nobody closes any more.
        if (isStopping) throw new StartError("the server is stopping");
        const wanted = await openWanted(next, place);
        await engine.apply(wanted);
        hall.sources = webhookSources(wanted.accesses, addresseesIn(hall));
        hall.batchWebhook = wanted.batchWebhook;
        config = next;
      }),
    stop: async () => {
      isStopping = true;
      const ended = new AbortController();
      void endInTime({ ...place, msMax: config.stopMs + closeMs + lateMsMax, endNow: options.endNow }, ended.signal);
      try {
        await inTurn(async () => {
          hall.readiness = { kind: "not_ready", why: "stopping" };
          await removeServerFile(folder.serverFile);
          await hall.server.close({ deadlineMs: closeMs });
          await engine.close(config.stopMs);
        });
      } finally {
        ended.abort();
      }
    },
  };
}

/** For requests that are under way: a delivery is written down within moments, or not at all. */
const closeMs = 5000;

/** For handing back, and for closing what is open. A database that answers takes a moment for both. */
const lateMsMax = 5000;

interface EndInTime extends Pick<WantedPlace, "clock" | "log"> {
  readonly msMax: number;
  readonly endNow: ServeOptions["endNow"];
}

/** A database that says nothing is waited for for a minute with each question; whoever supervises us kills us before. */
async function endInTime({ clock, log, msMax, endNow }: EndInTime, ended: AbortSignal): Promise<void> {
  await clock.sleep(msMax, ended);
  if (ended.aborted) return;
  log.error({ msMax }, "the server did not end in time: what was running is taken over when its lease has run out");
  endNow(`did not end within ${msMax} ms, and ends now`);
}
