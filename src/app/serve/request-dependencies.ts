import { costPath } from "#app/cost/cost-api.ts";
import { forgeMetrics } from "#app/forge/forge-call-counter.ts";
import { descriptorOf, webhookManners } from "#app/forge/forge-table.ts";
import { type ModelCallCounter, modelMetrics } from "#app/models/model-call-counter.ts";
import { handleQueueOverview, handleQueueRetry, queuePaths } from "#app/queue/queue-api.ts";
import type { Backend } from "#app/serve/backend.ts";
import { batchEndedHandler } from "#app/serve/batch-webhooks.ts";
import { reachMetric } from "#app/serve/forge-reach.ts";
import type { Installation } from "#app/serve/installation.ts";
import type { Installations } from "#app/serve/installations.ts";
import type { OpenedServerConfig } from "#app/serve/open-config.ts";
import type { ForgeAccess } from "#app/serve/read-forge-secrets.ts";
import { mannerOf } from "#config/forge-config.ts";
import type { InstanceId } from "#core/model/ids.ts";
import { queueNames } from "#ports/queue.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";
import type { QueueCounts } from "#queues/queue-overview.ts";
import type { ApiCall } from "#server/api-routes.ts";
import type { RequestDependencies } from "#server/http-server.ts";
import type { Metric } from "#server/metric.ts";
import type { DeliveryInbox } from "#store/delivery-inbox.ts";

interface ConfigInForce {
  readonly opened: OpenedServerConfig;
  readonly hosts: readonly string[];
  readonly bill: ModelCallCounter;
}

/** Used while the database is being opened: signatures are checked, and nothing is accepted. */
export function startingDependencies({ opened, hosts, bill }: ConfigInForce): RequestDependencies {
  const sources = webhookSources(opened.accesses, { isBot: () => false, listAgain: () => undefined });
  return {
    intake: { accept: async () => "busy" },
    sources: () => sources,
    webhookManners,
    isReady: () => ({ kind: "not_ready", why: "starting" }),
    metrics: async () => installationMetrics([], bill),
    hosts: () => hosts,
    batches: { openai: () => opened.batchWebhook, bringForward: async () => "busy" },
    api: { token: () => null, calls: apiCalls({ overview: notYet, retry: notYet, cost: notYet }) },
  };
}

const notYet: ApiCall["serve"] = async () => ({ status: 503, content: { error: "starting" } });

export function servingDependencies(
  { opened, hosts, bill }: ConfigInForce,
  { deliveries, installations, health, queue, cost }: Backend,
  token: string,
): RequestDependencies {
  const sources = webhookSources(opened.accesses, installationLookup(installations));
  return {
    intake: deliveries,
    sources: () => sources,
    webhookManners,
    // Deliveries are taken all the same: one that cannot be stored is refused, and the next may succeed.
    isReady: () => {
      const why = health.findTrouble();
      return why === null ? { kind: "ready" } : { kind: "not_ready", why };
    },
    metrics: async () => [
      ...installationMetrics(installations.list(), bill),
      ...(await deliveryMetrics(deliveries)),
      ...queueMetrics(
        await queue.counts(),
        installations.list().map(({ dependencies }) => dependencies.instance),
      ),
    ],
    hosts: () => hosts,
    batches: { openai: () => opened.batchWebhook, bringForward: batchEndedHandler(installations) },
    api: {
      token: () => token,
      calls: apiCalls({
        overview: () => handleQueueOverview(queue),
        retry: (asked) => handleQueueRetry(queue, asked),
        cost,
      }),
    },
  };
}

interface InstallationLookup {
  isBot(instance: InstanceId, account: string): boolean;
  listAgain(instance: InstanceId): void;
}

/** A forge without a webhook secret is only polled: what is not signed is not believed. */
function webhookSources(accesses: readonly ForgeAccess[], to: InstallationLookup): readonly WebhookSource[] {
  return accesses.flatMap(({ forge, webhookSecrets }) => {
    if (webhookSecrets.length === 0) return [];
    const source = descriptorOf(mannerOf(forge)).createWebhook?.({
      instance: forge.name,
      secrets: webhookSecrets.map((secret) => secret.reveal()),
      isBot: (account) => to.isBot(forge.name, account),
      gateName: forge.gateName,
    });
    return source === undefined ? [] : [tellingOfInstallations(source, to)];
  });
}

/** Such a delivery names no pull: the list of repositories is read at once, not in some minutes. */
function tellingOfInstallations(source: WebhookSource, to: InstallationLookup): WebhookSource {
  return {
    ...source,
    read: (request) => {
      const reading = source.read(request);
      if (reading.kind === "ignored" && reading.why === "installation") to.listAgain(source.instance);
      return reading;
    },
  };
}

function installationLookup(installations: Installations): InstallationLookup {
  const find = (instance: InstanceId) =>
    installations.list().find(({ dependencies }) => dependencies.instance === instance);
  return {
    isBot: (instance, account) => find(instance)?.findBot()?.id === account,
    listAgain: (instance) => find(instance)?.refreshRepositories(),
  };
}

function apiCalls(serve: Readonly<Record<"overview" | "retry" | "cost", ApiCall["serve"]>>): readonly ApiCall[] {
  return [
    { method: "GET", path: queuePaths.overview, serve: serve.overview },
    { method: "POST", path: queuePaths.retry, serve: serve.retry },
    { method: "POST", path: costPath, serve: serve.cost },
  ];
}

function installationMetrics(installations: readonly Installation[], bill: ModelCallCounter): readonly Metric[] {
  const forges = installations.map(({ dependencies, bill: calls, reach }) => ({
    name: dependencies.instance,
    bill: calls,
    budget: dependencies.forge.findRateLimit(),
    reach,
  }));
  return [...forgeMetrics(forges), reachMetric(forges), ...modelMetrics(bill)];
}

async function deliveryMetrics(deliveries: DeliveryInbox): Promise<readonly Metric[]> {
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

const measures = [
  ["waiting", "Waiting entries, also those for later."],
  ["due", "Waiting entries that could begin now."],
  ["running", "Entries that a worker runs."],
  ["buried", "Quarantined entries, which failed for hours or crashed the process; `drover queue` lists them."],
] as const;

/** An empty queue is shown as 0: a missing line would not prove that all is well. */
export function queueMetrics(counts: readonly QueueCounts[], instances: readonly string[]): readonly Metric[] {
  const names = new Set([...instances, ...counts.map(({ instance }) => instance)]);
  const places = [...names].flatMap((forge) => queueNames.map((queue) => ({ forge, queue })));
  const valueAt = ({ forge, queue }: (typeof places)[number], measure: (typeof measures)[number][0]): number =>
    counts.find((count) => count.instance === forge && count.queue === queue)?.[measure] ?? 0;
  return measures.map(([measure, help]) => ({
    name: `drover_queue_${measure}`,
    help,
    type: "gauge",
    samples: places.map((labels) => ({ labels, value: valueAt(labels, measure) })),
  }));
}
