import { readOperatorConfig } from "#app/config/read-operator-config.ts";
import { type RunningServer, startServer } from "#app/serve/serve.ts";
import { defaultData } from "#cli/data-location.ts";
import { readPort } from "#cli/read-port.ts";
import { readNamedFile, type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import { errorText } from "#core/error-text.ts";

export interface ServeCall {
  readonly host: string;
  readonly port: string;
  readonly data?: string | undefined;
  readonly config: string;
}

export interface ServeSignals {
  readonly untilStopped: () => Promise<void>;
  readonly onReload: (listener: () => void) => void;
  readonly endNow: (code: number) => void;
}

export async function serve(call: ServeCall, terminal: Terminal, signals: ServeSignals): Promise<number> {
  const configFile = call.config;
  // Listens before the start: a signal during it must neither end it half-way nor be forgotten.
  const stopped = signals.untilStopped();
  const running: { server?: RunningServer; isReloadDue?: boolean } = {};
  signals.onReload(() => {
    if (running.server === undefined) running.isReloadDue = true;
    else void reload(running.server, configFile, terminal);
  });
  const endNow = (why: string): void => {
    terminal.err(`drover: ${why}\n`);
    signals.endNow(failedCode);
  };
  const server = await start(call, await readConfig(configFile, terminal), { terminal, endNow });
  running.server = server;
  terminal.err(`drover: listening on ${server.url}, configured by ${configFile}\n`);
  if (running.isReloadDue === true) await reload(server, configFile, terminal);
  await stopped;
  terminal.err("drover: stopping; running work is ended or released\n");
  await server.stop();
  return 0;
}

/** Unlike 2, which says that the call was wrong. */
const failedCode = 1;

async function start(
  call: ServeCall,
  config: OperatorConfig,
  { terminal, endNow }: { readonly terminal: Terminal; readonly endNow: (why: string) => void },
): Promise<RunningServer> {
  try {
    return await startServer({
      host: call.host,
      port: readPort(call.port),
      dataFolder: call.data ?? defaultData,
      databaseUrl: terminal.env["DATABASE_URL"],
      config,
      env: terminal.env,
      readFile: terminal.readFile,
      searchPath: terminal.searchPath,
      writeLog: terminal.out,
      endNow,
    });
  } catch (error) {
    throw toUsageError(error);
  }
}

async function reload(server: RunningServer, configFile: string, terminal: Terminal): Promise<void> {
  try {
    await server.reload(await readConfig(configFile, terminal));
    terminal.err(`drover: ${configFile} is in force\n`);
  } catch (error) {
    terminal.err(`drover: nothing was changed: ${errorText(error)}\n`);
  }
}

async function readConfig(path: string, terminal: Terminal): Promise<OperatorConfig> {
  const advice = " docs/operating/serve.md shows a small one; name yours with --config FILE.";
  const read = readOperatorConfig(await readNamedFile(terminal, path, { what: "the configuration ", advice }));
  if (read.kind === "read") return read.config;
  throw new UsageError(`${path} is wrong:\n${read.problems.map((problem) => `  ${problem}`).join("\n")}`);
}
