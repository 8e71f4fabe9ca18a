import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./free-port.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";

const startMsMax = 60_000;
const startPollMs = 50;
/** The port is free when we look and may be taken a moment later. */
const portsTriedMax = 5;

const userName = "drover";

/** A server of our own, in a temporary folder, on a free port of the loopback. */
export interface PostgresCluster {
  /** Of its first database, `postgres`, as the superuser. */
  readonly url: string;
  urlOf(database: string): string;
  /** Ends it: at once as a crash does, which is the default, or after it has told its clients. */
  halt(manner?: "immediate" | "fast"): Promise<void>;
  /** On the same port, after `halt`. */
  resume(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** `settings` are lines of its configuration file, as in `fsync = on`, which win over those for quick tests. */
export async function startPostgresCluster(
  binaries: PostgresBinaries,
  settings: readonly string[] = [],
): Promise<PostgresCluster> {
  const folder = await mkdtemp(join(tmpdir(), "drover-postgres-"));
  try {
    return await startIn({ folder, binaries, settings, password: randomBytes(16).toString("hex") });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Plan {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly settings: readonly string[];
  readonly password: string;
}

async function startIn(plan: Plan): Promise<PostgresCluster> {
  const user = await findUnprivilegedUser();
  await makeCluster(plan, user);
  const urlOn = (port: number, database: string) =>
    `postgres://${userName}:${plan.password}@127.0.0.1:${port}/${database}`;
  const start = async (port: number) => {
    const server = startServer({ plan, user, port });
    await waitUntilReady(server, urlOn(port, "postgres"));
    return server;
  };
  const first = await startOnFreePort(start);
  const { port } = first;
  let { server } = first;
  return {
    url: urlOn(port, "postgres"),
    urlOf: (database) => urlOn(port, database),
    halt: async (manner) => endServer(server, manner === "fast" ? "SIGINT" : "SIGQUIT"),
    resume: async () => {
      server = await start(port);
    },
    remove: async () => {
      await endServer(server);
      await rm(plan.folder, { recursive: true, force: true });
    },
  };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. Everybody else runs it as themselves. */
async function findUnprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const line = ["postgres", "nobody"].flatMap((name) => users.filter(([first]) => first === name))[0];
  if (line === undefined) throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
  return { uid: Number(line[2]), gid: Number(line[3]) };
}

async function makeCluster({ folder, binaries, settings, password }: Plan, user: User | undefined): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  if (user !== undefined) {
    await chown(folder, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  await chmod(folder, 0o700);
  const data = dataFolderOf(folder);
  const args = ["--pgdata", data, "--username", userName, "--pwfile", passwordFile, "--auth", "scram-sha-256"];
  await run(binaries.initdb, [...args, "--encoding", "UTF8", "--locale", "C", "--no-sync"], { user, folder });
  await writeFile(join(data, "postgresql.conf"), [...quickSettings(folder), ...settings, ""].join("\n"), { flag: "a" });
}

function dataFolderOf(folder: string): string {
  return join(folder, "data");
}

/** Nothing of it outlives the run, so nothing needs to reach the disk. */
function quickSettings(folder: string): readonly string[] {
  return [
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    "shared_buffers = 16MB",
    "max_connections = 200",
    "fsync = off",
    "synchronous_commit = off",
    "full_page_writes = off",
  ];
}

async function run(
  program: string,
  args: readonly string[],
  { user, folder }: { readonly user: User | undefined; readonly folder: string },
): Promise<void> {
  const child = spawn(program, args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} failed: ${words}`);
}

async function startOnFreePort(
  start: (port: number) => Promise<Server>,
): Promise<{ readonly port: number; readonly server: Server }> {
  for (let tried = 1; ; tried += 1) {
    const port = await freePort();
    try {
      return { port, server: await start(port) };
    } catch (error) {
      if (tried === portsTriedMax) throw error;
    }
  }
}

interface Server {
  readonly postgres: ChildProcess;
  readonly watch: ChildProcess;
}

/** In a session of its own, so that a Control-C in the terminal does not end it before the tests. */
function startServer(options: { readonly plan: Plan; readonly user: User | undefined; readonly port: number }): Server {
  const { folder, binaries } = options.plan;
  const manner = { ...options.user, cwd: folder, detached: true } as const;
  const args = ["-D", dataFolderOf(folder), "-p", String(options.port)];
  const postgres = spawn(binaries.postgres, args, { ...manner, stdio: "ignore" });
  return { postgres, watch: watchOver(postgres, { folder, manner }) };
}

/**
 * A shell that waits for the end of its standard input: whatever becomes of us, even a kill that nobody can catch,
 * closes that pipe, and then the server ends and its folder goes.
 */
function watchOver(
  postgres: ChildProcess,
  { folder, manner }: { readonly folder: string; readonly manner: SpawnOptions },
): ChildProcess {
  const script = 'read -r word; kill -QUIT "$1"; while kill -0 "$1" 2> /dev/null; do sleep 0.1; done; rm -rf "$2"';
  const args = ["-c", script, "sh", String(postgres.pid), folder];
  return spawn("sh", args, { ...manner, stdio: ["pipe", "ignore", "ignore"] });
}

async function waitUntilReady(server: Server, url: string): Promise<void> {
  const deadline = performance.now() + startMsMax;
  while (!(await isReady(url))) {
    if (hasEnded(server.postgres)) {
      await endServer(server);
      throw new Error("PostgreSQL ended while it started");
    }
    if (performance.now() > deadline) {
      await endServer(server);
      throw new Error(`PostgreSQL was not ready after ${startMsMax} ms`);
    }
    await sleep(startPollMs);
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: startMsMax });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** These signals are what `pg_ctl stop` sends for its modes. */
async function endServer({ postgres, watch }: Server, signal: "SIGINT" | "SIGQUIT" = "SIGQUIT"): Promise<void> {
  await end(watch, "SIGKILL");
  await end(postgres, signal);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
