import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { Clock } from "#ports/clock.ts";
import type { Intake } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import type { Random } from "#ports/random.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";
import { type ApiRoutesOptions, apiRoutes } from "#server/api-routes.ts";
import { type BatchWebhookHandlers, batchWebhookRoutes } from "#server/batch-webhook-route.ts";
import { type BoundedMemory, createBoundedMemory } from "#server/bounded-memory.ts";
import { type HttpResponse, sendResponse, textResponse } from "#server/http-response.ts";
import type { Metric } from "#server/metric.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";
import { type Handler, type Route, routeTo } from "#server/router.ts";
import { trackRunningRequests } from "#server/running-requests.ts";
import { type ServerLimits, serverLimits } from "#server/server-limits.ts";
import { metricsPath, type Readiness, statusRoutes } from "#server/status-routes.ts";
import { createWebhookCounts, type WebhookCounts } from "#server/webhook-counts.ts";
import { webhookRoutes } from "#server/webhook-routes.ts";

/** Nothing else reports connections that were dropped at `connectionsMax`. */
function countDropped(
  server: Pick<Server, "on">,
  { connectionsMax, ...place }: { readonly connectionsMax: number; readonly log: Log; readonly clock: Clock },
): () => Metric {
  const warn = rateLimitedWarnings(place, linesPerMinuteMax);
  let count = 0;
  server.on("drop", () => {
    count++;
    warn({ connectionsMax }, "a connection was turned away: as many as may be are open");
  });
  return () => ({
    name: "drover_connections_dropped_total",
    help: "Connections that were turned away because as many as may be were open.",
    type: "counter",
    samples: [{ value: count }],
  });
}

const linesPerMinuteMax = 1;

export interface HttpServer {
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>;
  /** Running requests end with the dependencies that they began with. */
  replace(dependencies: RequestDependencies): void;
  /** Lets running requests end until the deadline. New ones on open connections are told to come back. */
  close(options: { readonly deadlineMs: number }): Promise<void>;
}

export interface RequestDependencies {
  readonly intake: Intake;
  /** Asked anew each time, so that a reload holds for the next delivery. */
  readonly sources: () => readonly WebhookSource[];
  readonly webhookManners: readonly string[];
  readonly isReady: () => Readiness;
  /** The rest of `/metrics`. If it fails or takes long, only the server's own metrics are shown. */
  readonly metrics: () => Promise<readonly Metric[]>;
  readonly hosts?: () => readonly string[];
  readonly api?: ApiRoutesOptions;
  readonly batches?: BatchWebhookHandlers;
}

export interface HttpServerOptions extends RequestDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly limits?: ServerLimits;
}

/** On bare Node: a delivery has to cost next to nothing, whether it is taken or refused. */
export function createHttpServer(parts: HttpServerOptions): HttpServer {
  const { clock, log, limits = serverLimits } = parts;
  const server = openServer(limits);
  const dropped = countDropped(server, { connectionsMax: limits.connectionsMax, log, clock });
  const running = trackRunningRequests(server, { ...limits, log, clock });
  const counts = createWebhookCounts();
  const memory = createBoundedMemory(limits.bodiesBytesMax);
  const ownMetrics = () => [...counts.metrics(), memoryMetric(memory), dropped(), running.ended()];
  const handlerOf = (dependencies: RequestDependencies): Handler =>
    routesOf({ ...dependencies, clock, log, limits, counts, memory, ownMetrics });
  let handle = handlerOf(parts);
  const answerFor: Handler = async (exchange) => {
    try {
      return await handle(exchange);
    } catch (error) {
      log.error({ request: exchange.id, why: String(error) }, "request failed");
      return textResponse(500, "failed");
    }
  };
  // Unique across processes, and cheaper than a random id for each request.
  const run = parts.random.token().slice(0, runCharacters);
  let count = 0;
  let isStopping = false;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    count++;
    const begun = running.began(request, response);
    if (begun === undefined) return;
    const exchange = { id: `${run}-${count}`, request, receivedAt: clock.now(), isStopping };
    void answerFor(exchange).then((answer) => {
      if (answer === undefined) return undefined;
      sendResponse(response, answer, { id: exchange.id, isLast: isStopping });
      begun.answered(answer.body.length);
      return undefined;
    });
  });
  // A connection that cannot be accepted must not end the process.
  server.on("error", (error) => log.error({ why: error.message }, "the server has a problem with its port"));
  return {
    listen: ({ host, port }) => listenOn(server, { host, port }),
    replace: (dependencies) => {
      handle = handlerOf(dependencies);
    },
    close: async ({ deadlineMs }) => {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await running.rest({ clock, deadlineMs });
      server.closeAllConnections();
      await closed;
    },
  };
}

const runCharacters = 12;

interface RoutesContext extends RequestDependencies, Pick<HttpServerOptions, "clock" | "log"> {
  readonly limits: ServerLimits;
  readonly counts: WebhookCounts;
  readonly memory: BoundedMemory;
  readonly ownMetrics: () => readonly Metric[];
}

function routesOf(context: RoutesContext): Handler {
  const { api: calls, batches: webhooks, hosts = () => [], limits, memory } = context;
  const status = statusRoutes({ ...context, ...limits, otherMetrics: context.metrics });
  const api = calls === undefined ? [] : apiRoutes(calls, memory);
  // A probe may use any host name. Webhooks are signed.
  const guarded = [...status.filter(([path]) => path === metricsPath), ...api];
  const ours = guarded.map(([path, route]) => [path, ownHostsOnly(route, hosts)] as const);
  const batches = webhooks === undefined ? [] : batchWebhookRoutes({ ...context, ...webhooks });
  return routeTo(new Map([...webhookRoutes(context), ...batches, ...status, ...ours]));
}

function memoryMetric(memory: BoundedMemory): Metric {
  const help = "Memory that is held by bodies that are being received.";
  return { name: "drover_webhook_body_bytes", help, type: "gauge", samples: [{ value: memory.countBytes() }] };
}

function openServer(limits: ServerLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersMsMax,
    requestTimeout: limits.requestMsMax,
    keepAliveTimeout: limits.idleMsMax,
    connectionsCheckingInterval: limits.lookMs,
    maxHeaderSize: limits.headerBytesMax,
    requireHostHeader: true,
    insecureHTTPParser: false,
    noDelay: true,
  });
  server.maxConnections = limits.connectionsMax;
  // A client that does not read its response would keep a connection for ever: other limits are about receiving.
  server.timeout = limits.stillMsMax;
  server.maxHeadersCount = limits.headersMax;
  return server;
}

async function listenOn(
  server: Server,
  address: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...address, backlog: backlogMax }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = server.address();
  return { port: typeof bound === "object" && bound !== null ? bound.port : address.port };
}

const backlogMax = 1024;

/** A web page can point a host name of its own at us and read our answers, so only known names are served. */
function ownHostsOnly(
  route: Route,
  /** Asked anew each time, so that a reload holds. */
  listed: () => readonly string[],
): Route {
  return {
    ...route,
    handle: async (exchange) =>
      isOwnHost(exchange.request.headers.host, listed()) ? await route.handle(exchange) : misdirected,
  };
}

const misdirected: HttpResponse = textResponse(
  421,
  "this is told under Drover's own host names only: add the one that you have used to `hosts` in the configuration",
);

export function isOwnHost(header: string | undefined, listed: readonly string[]): boolean {
  const host = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/
    .exec(header ?? "")?.[1]
    ?.toLowerCase()
    .replace(/\.$/, "");
  if (host === undefined || host === "") return false;
  const isAddress = isIP(host) === 4 || (host.startsWith("[") && isIP(host.slice(1, -1)) === 6);
  // Names without a dot, as of containers, are those of the local network.
  return (
    isAddress ||
    !host.includes(".") ||
    host.endsWith(".localhost") ||
    listed.some((name) => name.toLowerCase() === host)
  );
}
