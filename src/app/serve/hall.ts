import { costPath } from "#app/cost/cost-api.ts";
import { type BilledForge, forgeMetrics } from "#app/forge/forge-bill.ts";
import { type ModelBill, modelMetrics } from "#app/models/model-bill.ts";
import { queuePaths, tellOverview, tellRetry } from "#app/queue/queue-api.ts";
import type { QueueDesk } from "#app/queue/queue-desk.ts";
import { queueMetrics } from "#app/queue/queue-metrics.ts";
import { bringForwardIn } from "#app/serve/batch-door.ts";
import { createDatabaseHealth, type DatabaseHealth } from "#app/serve/database-health.ts";
import { deliveryMetrics } from "#app/serve/delivery-metrics.ts";
import type { Fleet } from "#app/serve/fleet.ts";
import { reachMetric } from "#app/serve/forge-reach.ts";
import type { OpenWanted } from "#app/serve/open-wanted.ts";
import { type Addressees, webhookSources } from "#app/serve/webhook-sources.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { InstanceId } from "#core/model/ids.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";
import type { ApiCall } from "#server/api-routes.ts";
import { createHttpServer, type HttpServer } from "#server/http-server.ts";
import type { Readiness } from "#server/status-routes.ts";
import type { DeliveryLog } from "#store/delivery-log.ts";

/** Where requests come in, and what they find there. It changes while the server starts. */
export interface Hall {
  readonly server: HttpServer;
  readonly health: DatabaseHealth;
  readiness: Readiness;
  intake: DeliveryLog | null;
  desk: Desk | null;
  token: string | null;
  sources: readonly WebhookSource[];
  batchWebhook: BatchWebhook | null;
  /** Further names that it is known by. */
  hosts: readonly string[];
  fleet: Fleet | null;
}

export function openHall(
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
    hosts: [],
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
        reachMetric((hall.fleet?.list() ?? []).map(({ parts, reach }) => ({ name: parts.instance, reach }))),
        ...modelMetrics(bill),
        ...(await deliveryMetrics(hall.intake)),
        ...(hall.desk === null ? [] : queueMetrics(await hall.desk.queue.counts(), instancesOf(hall.fleet))),
      ],
      hosts: () => hall.hosts,
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

export function addresseesIn(hall: Hall): Addressees {
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
