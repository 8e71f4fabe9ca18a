import { createHmac } from "node:crypto";
import { onTestFinished } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { InstanceId } from "#core/model/ids.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { DeliveryReference, Intake } from "#ports/intake.ts";
import type { Log, LogFacts } from "#ports/log.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "#server/http-server.ts";
import { type ServerLimits, serverLimits } from "#server/server-limits.ts";
import { connectTo, type RawAnswer, type RawClient } from "./raw-client.ts";

/** A server on a free port of this machine, with everything that it took in. */
export interface ServerWorld {
  readonly port: number;
  readonly server: HttpServer;
  readonly accepted: readonly DeliveryReference[];
  readonly lines: readonly LogLine[];
  connect(): Promise<RawClient>;
  /** One request on a connection of its own. */
  ask(...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer>;
  /** The value of a metric, by its name and labels as they are written. */
  metric(name: string): Promise<number | undefined>;
}

export interface LogLine {
  readonly level: string;
  readonly facts: LogFacts;
  readonly message: string;
}

export const secret = "s3cret";

const sources = [
  createGithubWebhook({ instance: InstanceId.parse("github.com"), secrets: ["of another server"] }),
  createGithubWebhook({ instance: InstanceId.parse("github.example"), secrets: ["before", secret] }),
  createGiteaWebhook({ instance: InstanceId.parse("gitea.example"), secrets: [secret] }),
];

type Options = Partial<Omit<HttpServerOptions, "limits">> & {
  readonly limits?: Partial<ServerLimits>;
  /** Any free one unless it is named. */
  readonly port?: number;
};

/** Closed when the test is over. */
export async function startServer(options: Options = {}): Promise<ServerWorld> {
  const accepted: DeliveryReference[] = [];
  const lines: LogLine[] = [];
  const remember: Intake = {
    accept: async (reference) => {
      accepted.push(reference);
      return "accepted";
    },
  };
  const server = createHttpServer({
    intake: remember,
    sources: () => sources,
    webhookManners: ["github", "gitea"],
    clock: createSystemClock(),
    random: createSystemRandom(),
    isReady: () => ({ kind: "ready" }),
    metrics: async () => [],
    log: logTo(lines),
    ...options,
    limits: { ...serverLimits, ...options.limits },
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  onTestFinished(async () => await server.close({ deadlineMs: 0 }));
  const ask = async (...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer> => {
    const client = await connectTo(port);
    client.send(...pieces);
    const [answer] = await client.answers(1);
    client.destroy();
    if (answer === undefined) throw new Error("the connection has ended without an answer");
    return answer;
  };
  const metric = async (name: string): Promise<number | undefined> => {
    const { body } = await ask(get("/metrics"));
    const line = body.split("\n").find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };
  return { port, server, accepted, lines, connect: () => connectTo(port), ask, metric };
}

function logTo(lines: LogLine[]): Log {
  const write = (level: string) => (facts: LogFacts, message: string) => void lines.push({ level, facts, message });
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

export function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: drover\r\n\r\n`;
}

/** What GitHub sends when pull `number` was opened. */
export function openedBody(number: number, padding = 0): Buffer {
  const repository = { id: 17, full_name: "ada/engine" };
  return Buffer.from(
    JSON.stringify({ action: "opened", pull_request: { number, body: "x".repeat(padding) }, repository }),
  );
}

/** What GitHub sends when a check has ended that these pulls share. */
export function checkBody(numbers: readonly number[]): Buffer {
  const pulls = numbers.map((number) => ({ number, base: { repo: { id: 17 } } }));
  const repository = { id: 17, full_name: "ada/engine" };
  return Buffer.from(JSON.stringify({ action: "completed", check_run: { pull_requests: pulls }, repository }));
}

export interface Sent {
  readonly body: Uint8Array;
  readonly path?: string;
  readonly secret?: string;
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The head of a signed delivery of GitHub, with the empty line. */
export function headOf({ body, path = "/webhooks/github", secret: key = secret, headers = {} }: Sent): string {
  const all: Readonly<Record<string, string | undefined>> = {
    host: "drover",
    "content-type": "application/json",
    "content-length": String(body.length),
    "x-github-event": "pull_request",
    "x-github-delivery": "d-1",
    "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

export function delivery(number: number): Buffer {
  const body = openedBody(number);
  return Buffer.concat([Buffer.from(headOf({ body })), body]);
}
