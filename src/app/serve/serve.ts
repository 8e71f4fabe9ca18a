import { batchLogLines } from "#app/batch-log-lines.ts";
import { consoleLog } from "#app/console-log.ts";
import { createModelCallCounter } from "#app/models/model-call-counter.ts";
import { registerEnvironmentSecrets } from "#app/secrets/environment-secrets.ts";
import { maskingLog } from "#app/secrets/masking-log.ts";
import { createSecretRegistry } from "#app/secrets/secret-registry.ts";
import { type Backend, openBackend } from "#app/serve/backend.ts";
import { type DataFolder, openDataFolder } from "#app/serve/data-folder.ts";
import { type OpenConfigOptions, openConfig } from "#app/serve/open-config.ts";
import { servingDependencies, startingDependencies } from "#app/serve/request-dependencies.ts";
import { type ServeOptions } from "#app/serve/serve-options.ts";
import { removeServerFile, writeServerFile } from "#app/serve/server-file.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { type OperatorConfig } from "#config/operator-config.ts";
import { codeOf, codeOrText } from "#core/error-code.ts";
import { errorText } from "#core/error-text.ts";
import { DatabaseError } from "#database/database-error.ts";
import { GitError } from "#ports/git.ts";
import { createHttpServer, type HttpServer } from "#server/http-server.ts";

export interface RunningServer {
  readonly url: string;
  /** Throws and changes nothing if the configuration cannot be used. */
  reload(config: OperatorConfig): Promise<void>;
  stop(): Promise<void>;
}

/** The port opens first, so that monitoring sees a server that is not ready. Webhooks need the store. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const folder = await openDataFolder(options.dataFolder);
  const clock = createSystemClock();
  const plainLog = consoleLog({ write: batchLogLines({ write: options.writeLog, process }), clock });
  const secrets = createSecretRegistry(plainLog);
  registerEnvironmentSecrets(secrets, { ...options.env, DATABASE_URL: options.databaseUrl });
  const log = maskingLog(plainLog, secrets);
  const places = { env: options.env, readFile: options.readFile, onRead: secrets.register };
  const place: OpenConfigOptions = { places, clock, log, bill: createModelCallCounter(), secrets };
  const opened = await openConfig(options.config, place);
  const inForce = { opened, hosts: hostsOf(options, options.config), bill: place.bill };
  const starting = startingDependencies(inForce);
  const random = createSystemRandom();
  const server = createHttpServer({ clock, log, random, ...starting });
  const url = await listen(server, options);
  let backend: Backend | undefined;
  try {
    backend = await openBackend({ options, folder, clock, log, secrets });
    const token = random.token();
    secrets.register({ name: "the token of the server file", value: token });
    const serving = servingDependencies(inForce, backend, token);
    server.replace({ ...serving, isReady: starting.isReady });
    await backend.apply(opened);
    await writeServerFile(folder.serverFile, { url, pid: process.pid, token });
    server.replace(serving);
    log.info({ url, engine: backend.kind, forges: options.config.forges.map(({ name }) => name) }, "server is ready");
    return running({ url, server, backend, token, folder, options, place });
  } catch (error) {
    await server.close({ deadlineMs: 0 });
    // Else it would go on without a server and keep the folder locked.
    await backend?.close(0);
    throw explainStart(error);
  }
}

/** The command line asks by the name that the server listens on. */
function hostsOf({ host }: ServeOptions, { hosts }: OperatorConfig): readonly string[] {
  return [host, ...hosts];
}

async function listen(server: HttpServer, { host, port }: ServeOptions): Promise<string> {
  try {
    const bound = await server.listen({ host, port });
    return `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
  } catch (error) {
    const code = codeOrText(error);
    const advice = code === "EADDRINUSE" ? "something listens there already: choose another one with --port" : code;
    throw new StartError(`cannot listen on ${host} port ${port}: ${advice}`, { cause: error });
  }
}

interface RunningParts {
  readonly url: string;
  readonly server: HttpServer;
  readonly backend: Backend;
  readonly token: string;
  readonly folder: DataFolder;
  readonly options: ServeOptions;
  readonly place: OpenConfigOptions;
}

function running({ url, server, backend, token, folder, options, place }: RunningParts): RunningServer {
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
        // It would open something that is never closed.
        if (isStopping) throw new StartError("the server is stopping");
        const opened = await openConfig(next, place);
        await backend.apply(opened);
        const inForce = { opened, hosts: hostsOf(options, next), bill: place.bill };
        server.replace(servingDependencies(inForce, backend, token));
        config = next;
      }),
    stop: async () => {
      isStopping = true;
      const ended = new AbortController();
      void endInTime({ ...place, msMax: config.stopMs + closeMs + lateMsMax, endNow: options.endNow }, ended.signal);
      try {
        await inTurn(async () => {
          await Promise.all([removeServerFile(folder.serverFile), server.close({ deadlineMs: closeMs })]);
          await backend.close(config.stopMs);
        });
      } finally {
        ended.abort();
      }
    },
  };
}

/** For requests under way. A delivery is stored within moments or not at all. */
const closeMs = 5000;

/** For handing back and closing. A working database takes a moment for both. */
const lateMsMax = 5000;

interface EndInTime extends Pick<OpenConfigOptions, "clock" | "log"> {
  readonly msMax: number;
  readonly endNow: ServeOptions["endNow"];
}

/** Each statement waits up to a minute for a silent database; a supervisor would kill us before. */
async function endInTime({ clock, log, msMax, endNow }: EndInTime, ended: AbortSignal): Promise<void> {
  await clock.sleep(msMax, ended);
  if (ended.aborted) return;
  log.error({ msMax }, "the server did not end in time: running work is taken over when its lease expires");
  endNow(`did not end within ${msMax} ms, and ends now`);
}

/** Only what an operator can fix becomes one line. Everything else is a bug and stays as it is. */
function explainStart(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof GitError) {
    return new StartError(error.message, { cause: error });
  }
  // Of the system or of PostgreSQL: the message says what was tried.
  if (codeOf(error) === undefined) return error;
  return new StartError(`the server cannot start: ${errorText(error)}`, { cause: error });
}
