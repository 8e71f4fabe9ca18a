import { generateKeyPairSync } from "node:crypto";
import { pathToFileURL } from "node:url";
import { Pool } from "pg";
import * as z from "zod";
import { answerParent } from "./answer-parent.ts";

/** Probot's own server as its `run` starts it in production, with a handler that does nothing or inserts one row. */
const Order = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("start"),
    port: z.number(),
    secret: z.string(),
    path: z.string(),
    /** Where Probot was installed. */
    entry: z.string(),
    databaseUrl: z.string().nullable(),
  }),
  z.object({ kind: z.literal("count") }),
]);
type StartOrder = Extract<z.infer<typeof Order>, { readonly kind: "start" }>;

/** The part of Probot that is used here. It is not installed when this is compiled. */
interface Probot {
  run(app: (app: ProbotApp) => void, options: { readonly env: Readonly<Record<string, string>> }): Promise<unknown>;
}

interface ProbotApp {
  onAny(handler: (context: ProbotContext) => Promise<void>): void;
}

interface ProbotContext {
  readonly id: string;
  readonly name: string;
  readonly payload: {
    readonly action?: string;
    readonly repository?: { readonly id: number; readonly full_name: string };
    readonly pull_request?: { readonly number: number };
    readonly issue?: { readonly number: number };
  };
}

let pool: Pool | undefined;

answerParent(
  async (message) => {
    const order = Order.parse(message);
    if (order.kind === "start") await start(order);
    const rows = pool === undefined ? null : await countRows(pool);
    return { rows, commits: rows };
  },
  async () => pool?.end(),
);

async function start(order: StartOrder): Promise<void> {
  pool = order.databaseUrl === null ? undefined : await openPool(order.databaseUrl);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the version is pinned, and this is how it looks
  const probot = (await import(pathToFileURL(order.entry).href)) as Probot;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const env = {
    NODE_ENV: "production",
    APP_ID: "1",
    PRIVATE_KEY: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    WEBHOOK_SECRET: order.secret,
    WEBHOOK_PATH: order.path,
    HOST: "127.0.0.1",
    PORT: String(order.port),
    LOG_FORMAT: "json",
  };
  await probot.run((app) => app.onAny(handlerOf(pool)), { env });
}

function handlerOf(rows: Pool | undefined): (context: ProbotContext) => Promise<void> {
  if (rows === undefined) return async () => undefined;
  return async ({ id, name, payload }) => {
    const { repository, pull_request: pull, issue, action } = payload;
    const number = (pull ?? issue)?.number ?? 0;
    const values = [String(repository?.id), repository?.full_name, number, id, `${name}.${action}`, Date.now()];
    await rows.query(insertion, values);
  };
}

/** The same row that Drover writes. */
const table = `create table delivery (
  number bigint generated always as identity primary key, repository_id text not null, repository_name text not null,
  pull integer not null, delivery text, kind text not null, received_at bigint not null)`;
const insertion = `insert into delivery (repository_id, repository_name, pull, delivery, kind, received_at)
  values ($1, $2, $3, $4, $5, $6)`;

/** As many as Drover has. */
const connectionsMax = 10;

async function openPool(connectionString: string): Promise<Pool> {
  const opened = new Pool({ connectionString, max: connectionsMax });
  await opened.query(table);
  return opened;
}

async function countRows(rows: Pool): Promise<number> {
  const counted = await rows.query<{ readonly count: string }>("select count(*) from delivery");
  return Number(counted.rows[0]?.count);
}
