import { Kysely, PostgresDialect } from "kysely";
import { Client, escapeIdentifier, Pool, types } from "pg";
import { backoffMs } from "#core/backoff.ts";
import type { ChannelSubscription, Database } from "#database/database.ts";
import { endWhenIdle } from "#database/postgres/connection-idle-timeout.ts";
import { connectionOptions } from "#database/postgres/connection-options.ts";
import type { Tables } from "#database/tables.ts";

const waitMsFirst = 200;
const waitMsMax = 30_000;

/** A system may notice a dead idle connection only after a quarter of an hour. */
const askMs = 15_000;

const connectionsMax = 10;
const idleMsMax = 10_000;

export function openPostgres(url: string, settings: PostgresSettings = {}): Database {
  const pool = new Pool({
    ...connectionOptions(url),
    ...searchPath(settings.schema ?? null),
    max: connectionsMax,
    idleTimeoutMillis: idleMsMax,
    types: { getTypeParser: parserOf },
  });
  // Without listeners a broken connection, idle or in use, would end the process. Its user sees the failure anyway.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    endWhenIdle(client, settings.silenceMs);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: "postgres",
    db,
    listen: (channel, onNotice) => listenOnPostgres({ url, channel, onNotice }),
    close: () => db.destroy(),
  };
}

interface PostgresSettings {
  readonly silenceMs?: number;
  /** Beside PostgreSQL's own. Null: as the server sets it. */
  readonly schema?: string | null;
}

/** What the address itself sets in `options` wins. */
function searchPath(schema: string | null): { readonly options?: string } {
  if (schema === null) return {};
  // Options are split at spaces, unless there is a backslash before them.
  const quoted = `"${schema.replaceAll('"', '""')}"`.replace(/[\\\s]/g, (character) => `\\${character}`);
  return { options: `-c search_path=${quoted}` };
}

/** The driver reads int8 as a string, since not every one is a safe number. Ours are. */
const parserOf: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === int8 ? Number : types.getTypeParser(oid, format);

const int8: number = types.builtins.INT8;

interface ListenOptions {
  readonly url: string;
  readonly channel: string;
  readonly onNotice: () => void;
}

/** Reconnects with growing pauses until stopped. Only the first connection may fail. */
async function listenOnPostgres(options: ListenOptions): Promise<ChannelSubscription> {
  const first = await connect(options);
  const stopping = new AbortController();
  const running = keepListening({ ...options, first, signal: stopping.signal });
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

interface Ear {
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

async function keepListening(
  options: ListenOptions & { readonly first: Ear; readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = options;
  let ear: Ear | undefined = options.first;
  let attempt = 1;
  while (!signal.aborted) {
    if (ear !== undefined) {
      await Promise.race([ear.gone, aborted(signal)]);
      await ear.close();
      attempt = 1;
    }
    await sleep(backoffMs({ attempt, firstMs: waitMsFirst, maxMs: waitMsMax }), signal);
    attempt += 1;
    ear = signal.aborted ? undefined : await connect(options).catch(() => undefined);
    // Notices were lost while there was no connection.
    if (ear !== undefined) options.onNotice();
  }
  await ear?.close();
}

async function connect({ url, channel, onNotice }: ListenOptions): Promise<Ear> {
  const client = new Client(connectionOptions(url));
  const gone = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
  try {
    await client.connect();
    endWhenIdle(client);
    client.on("notification", onNotice);
    await client.query(`listen ${escapeIdentifier(channel)}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  const asking = setInterval(() => {
    // If no answer comes, the idle timeout ends the connection.
    client.query("select 1").catch(() => undefined);
  }, askMs);
  return {
    gone,
    close: async () => {
      clearInterval(asking);
      await client.end().catch(() => undefined);
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([over, aborted(signal)]);
  clearTimeout(timer);
}
