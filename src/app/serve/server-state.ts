import { costPath } from "#app/cost/cost-api.ts";
import { type BilledForge, forgeMetrics } from "#app/forge/forge-call-counter.ts";
import { webhookManners } from "#app/forge/forge-table.ts";
import { type ModelCallCounter, modelMetrics } from "#app/models/model-call-counter.ts";
import { type QueueAdmin } from "#app/queue/queue-admin.ts";
import { handleQueueOverview, handleQueueRetry, queuePaths } from "#app/queue/queue-api.ts";
import { queueMetrics } from "#app/queue/queue-metrics.ts";
import { batchEndedHandler } from "#app/serve/batch-webhooks.ts";
import { createDatabaseHealth, type DatabaseHealth } from "#app/serve/database-health.ts";
import { reachMetric } from "#app/serve/forge-reach.ts";
import { type Installations } from "#app/serve/installations.ts";
import { type OpenedServerConfig } from "#app/serve/open-config.ts";
import { type InstallationLookup, webhookSources } from "#app/serve/webhook-sources.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { type InstanceId } from "#core/model/ids.ts";
import { type BatchWebhook } from "#ports/batch-webhook.ts";
import { type Clock } from "#ports/clock.ts";
import { type Log } from "#ports/log.ts";
import { type WebhookSource } from "#ports/webhook-source.ts";
import { type ApiCall } from "#server/api-routes.ts";
import { createHttpServer, type HttpServer } from "#server/http-server.ts";
import { type Metric } from "#server/metric.ts";
import { type Readiness } from "#server/status-routes.ts";
import { type DeliveryInbox } from "#store/delivery-inbox.ts";

/** Where requests come in, and what they find there. It changes while the server starts. */
export interface ServerState {
  readonly server: HttpServer;
  readonly health: DatabaseHealth;
  readiness: Readiness;
  intake: DeliveryInbox | null;
  desk: Desk | null;
  token: string | null;
  sources: readonly WebhookSource[];
  batchWebhook: BatchWebhook | null;
  /** Further names that it is known by. */
  hosts: readonly string[];
  installations: Installations | null;
}

export function createServerState(
  { clock, log, bill }: { readonly clock: Clock; readonly log: Log; readonly bill: ModelCallCounter },
  { accesses, batchWebhook }: OpenedServerConfig,
): ServerState {
  const state: ServerState = {
    health: createDatabaseHealth(clock),
    readiness: { kind: "not_ready", why: "starting" },
    intake: null,
    desk: null,
    token: null,
    sources: [],
    batchWebhook,
    hosts: [],
    installations: null,
    server: createHttpServer({
      intake: { accept: async (reference) => (await state.intake?.accept(reference)) ?? "busy" },
      sources: () => state.sources,
      webhookManners,
      clock,
      log,
      random: createSystemRandom(),
      isReady: () => readinessOf(state),
      metrics: async () => [
        ...forgeMetrics(billsOf(state.installations)),
        reachMetric(
          (state.installations?.list() ?? []).map(({ dependencies, reach }) => ({
            name: dependencies.instance,
            reach,
          })),
        ),
        ...modelMetrics(bill),
        ...(await deliveryMetrics(state.intake)),
        ...(state.desk === null ? [] : queueMetrics(await state.desk.queue.counts(), instancesOf(state.installations))),
      ],
      hosts: () => state.hosts,
      batches: { openai: () => state.batchWebhook, bringForward: batchEndedHandler(() => state.installations) },
      api: { token: () => state.token, calls: apiCalls(() => state.desk) },
    }),
  };
  state.sources = webhookSources(accesses, installationLookup(state));
  return state;
}

/** Deliveries are taken all the same: what cannot be written down is answered as such, and the next may be. */
function readinessOf({ readiness, health }: ServerState): Readiness {
  const trouble = readiness.kind === "ready" ? health.findTrouble() : null;
  return trouble === null ? readiness : { kind: "not_ready", why: trouble };
}

function billsOf(fleet: Installations | null): readonly BilledForge[] {
  const installations = fleet?.list() ?? [];
  return installations.map(({ dependencies, bill }) => ({
    name: dependencies.instance,
    bill,
    budget: dependencies.forge.findRateLimit(),
  }));
}

function instancesOf(installations: Installations | null): readonly InstanceId[] {
  return installations?.list().map(({ dependencies }) => dependencies.instance) ?? [];
}

export function installationLookup(state: ServerState): InstallationLookup {
  const find = (instance: InstanceId) =>
    state.installations?.list().find(({ dependencies }) => dependencies.instance === instance);
  return {
    isBot: (instance, account) => find(instance)?.findBot()?.id === account,
    listAgain: (instance) => find(instance)?.refreshRepositories(),
  };
}

/** What the command line asks about. */
interface Desk {
  readonly queue: QueueAdmin;
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
    { method: "GET", path: queuePaths.overview, serve: withDesk(({ queue }) => handleQueueOverview(queue)) },
    { method: "POST", path: queuePaths.retry, serve: withDesk(({ queue }, asked) => handleQueueRetry(queue, asked)) },
    { method: "POST", path: costPath, serve: withDesk(({ cost }, asked) => cost(asked)) },
  ];
}

async function deliveryMetrics(deliveries: DeliveryInbox | null): Promise<readonly Metric[]> {
  if (deliveries === null) return [];
  return [
    {
      name: "drover_deliveries_waiting",
      help: "Accepted deliveries that are not yet pokes of their pulls.",
      type: "gauge",
      samples: [{ value: await deliveries.countDeliveries() }],
    },
    {
      name: "drover_deliveries_unwritten",
      help: "Deliveries that this process is storing.",
      type: "gauge",
      samples: [{ value: deliveries.countWaiting() }],
    },
  ];
}
