import { parseArgs } from "node:util";
import { version } from "#app/version.ts";
import { cost } from "#cli/cost.ts";
import { type DbCall, dbExport, dbImport } from "#cli/db.ts";
import { demo } from "#cli/demo.ts";
import { evaluate } from "#cli/eval.ts";
import { asEvalCall, evalMeaning, evalOptions, evalUsage } from "#cli/eval-call.ts";
import { explain } from "#cli/explain.ts";
import { type InitCall, init } from "#cli/init.ts";
import { queue, queueRetry } from "#cli/queue.ts";
import { type ReviewCommandContext, review } from "#cli/review.ts";
import { asReviewCall, reviewMeaning, reviewOptions, reviewUsage } from "#cli/review-call.ts";
import { run } from "#cli/run.ts";
import { sandbox } from "#cli/sandbox.ts";
import { serve } from "#cli/serve.ts";
import { processSignals } from "#cli/signals.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { wait } from "#cli/wait.ts";
import { watch } from "#cli/watch.ts";
import { instant } from "#core/model/instant.ts";

interface CommandEntry {
  readonly usage: string;
  readonly meaning: string;
  readonly options: Readonly<Record<string, { readonly type: "string" | "boolean" }>>;
  /** The option that a word without one stands for. */
  readonly subject?: "pull";
  readonly run: (
    options: Readonly<Record<string, string | boolean | undefined>>,
    terminal: Terminal,
  ) => Promise<number>;
}

const dbOptions = { data: { type: "string" }, file: { type: "string" }, json: { type: "boolean" } } as const;

const targetOptions = {
  repo: { type: "string" },
  pull: { type: "string" },
  forge: { type: "string" },
  "api-url": { type: "string" },
  event: { type: "string" },
  config: { type: "string" },
  json: { type: "boolean" },
} as const;

/** Whoever only looks may do so with a token that is not Drover's. */
const lookOptions = { ...targetOptions, bot: { type: "string" } } as const;

const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    usage: "drover serve [--config FILE] [--data DIR] [--host HOST] [--port N]",
    meaning:
      "Takes webhooks, polls, and works on every pull, until it is stopped. The database is in DIR, or the PostgreSQL that DATABASE_URL names.",
    options: {
      config: { type: "string" },
      data: { type: "string" },
      host: { type: "string" },
      port: { type: "string" },
    },
    run: async ({ config, data, host, port }, terminal) =>
      await serve(
        { config: asText(config), data: asText(data), host: asText(host), port: asText(port) },
        terminal,
        processSignals,
      ),
  },
  run: {
    usage:
      "drover run (ADDRESS | --repo owner/name --pull N) [--forge github|gitea|sandbox] [--api-url URL] [--event FILE] [--config FILE] [--timeout 30m] [--anew] [--json]",
    meaning:
      "Does everything that can be done for one pull now, and ends: 0 passed, 1 blocked or failed, 2 wrong call. ADDRESS is that of the pull in a browser. Reads GITHUB_TOKEN or GITEA_TOKEN, and DROVER_SECRET, and in a CI job the rest from its environment.",
    options: { ...targetOptions, timeout: { type: "string" }, anew: { type: "boolean" } },
    subject: "pull",
    run: async (options, terminal) =>
      await processSignals.stoppable(
        async (signal) =>
          await run(
            { ...asTarget(options), timeout: asText(options["timeout"]), isAnew: options["anew"] === true },
            terminal,
            signal,
          ),
      ),
  },
  review: {
    usage: reviewUsage,
    meaning: reviewMeaning,
    options: reviewOptions,
    run: async (options, terminal) =>
      await processSignals.stoppable(async (signal) => await review(asReviewCall(options), terminal, placeOf(signal))),
  },
  eval: {
    usage: evalUsage,
    meaning: evalMeaning,
    options: evalOptions,
    run: async (options, terminal) =>
      await processSignals.stoppable(async (signal) => await evaluate(asEvalCall(options), terminal, placeOf(signal))),
  },
  sandbox: {
    usage: "drover sandbox [--port N] [--folder DIR] [--manner github|gitea] [--webhooks URL --secret S] [--json]",
    meaning: "A forge on this machine alone, to try `drover serve` on without any account.",
    options: {
      port: { type: "string" },
      folder: { type: "string" },
      manner: { type: "string" },
      webhooks: { type: "string" },
      secret: { type: "string" },
      json: { type: "boolean" },
    },
    run: async ({ port, folder, manner, webhooks, secret, json }, terminal) =>
      await sandbox(
        {
          port: asText(port),
          folder: asText(folder),
          manner: asText(manner),
          webhooks: asText(webhooks),
          secret: asText(secret),
          isJson: json === true,
        },
        terminal,
        processSignals.untilStopped,
      ),
  },
  queue: {
    usage: "drover queue [--data DIR] [--json]",
    meaning: "What waits, what runs, what was set aside and why; asks the running server where there is one.",
    options: { data: { type: "string" }, json: { type: "boolean" } },
    run: async ({ data, json }, terminal) => await queue({ data: asText(data), isJson: json === true }, terminal),
  },
  "queue retry": {
    usage: "drover queue retry --forge NAME --queue QUEUE --key KEY [--data DIR] [--json]",
    meaning: "Puts back what was set aside.",
    options: {
      data: { type: "string" },
      json: { type: "boolean" },
      forge: { type: "string" },
      queue: { type: "string" },
      key: { type: "string" },
    },
    run: async ({ data, json, forge, queue: name, key }, terminal) => {
      const entry = { forge: asText(forge), queue: asText(name), key: asText(key) };
      return await queueRetry({ data: asText(data), isJson: json === true, ...entry }, terminal);
    },
  },
  cost: {
    usage:
      "drover cost [--by pull|repository|role|model|day] [--since 7d] [--repo owner/name [--pull N]] [--data DIR] [--json]",
    meaning: "What models have cost; asks the running server where there is one.",
    options: {
      by: { type: "string" },
      since: { type: "string" },
      repo: { type: "string" },
      pull: { type: "string" },
      data: { type: "string" },
      json: { type: "boolean" },
    },
    run: async ({ by, since, repo, pull, data, json }, terminal) => {
      const place = { repo: asText(repo), pull: asText(pull), data: asText(data) };
      return await cost(
        { by: asText(by), since: asText(since), ...place, isJson: json === true },
        terminal,
        instant(Date.now()),
      );
    },
  },
  "db export": {
    usage: "drover db export --file FILE [--data DIR] [--json]",
    meaning:
      "Writes everything that Drover remembers into FILE, from the database in DIR or the one that DATABASE_URL names.",
    options: dbOptions,
    run: async (options, terminal) => await dbExport(asDbCall(options), terminal),
  },
  "db import": {
    usage: "drover db import --file FILE [--data DIR] [--json]",
    meaning: "Reads FILE into an empty database: to PostgreSQL with DATABASE_URL, or back into DIR.",
    options: dbOptions,
    run: async (options, terminal) => await dbImport(asDbCall(options), terminal),
  },
  explain: {
    usage:
      "drover explain (ADDRESS | --repo owner/name --pull N | --observation FILE.json) [--bot LOGIN] [--api-url URL] [--config FILE] [--anew] [--json]",
    meaning:
      "What a pull, or a saved observation of one, means and what Drover would do about it; touches nothing. `-` reads standard input.",
    options: { ...lookOptions, observation: { type: "string" }, anew: { type: "boolean" } },
    subject: "pull",
    run: async (options, terminal) =>
      await explain(
        { ...asLook(options), observation: asText(options["observation"]), isAnew: options["anew"] === true },
        terminal,
      ),
  },
  watch: {
    usage:
      "drover watch (ADDRESS | --repo owner/name --pull N) [--interval 30s] [--bot LOGIN] [--api-url URL] [--config FILE] [--json]",
    meaning:
      "Says each change of a pull once, until it is merged or closed: 0, or 5 when the forge cannot be reached for ten minutes. Reads only.",
    options: { ...lookOptions, interval: { type: "string" } },
    subject: "pull",
    run: async (options, terminal) =>
      await watch({ ...asLook(options), interval: asText(options["interval"]) }, terminal),
  },
  wait: {
    usage:
      "drover wait (ADDRESS | --repo owner/name --pull N) [--timeout 90m] [--interval 30s] [--bot LOGIN] [--api-url URL] [--config FILE] [--json]",
    meaning:
      "Waits for the reviewers: 0 approved, 3 changes requested, 4 the review time-out is over (or the span of --timeout, counted from now), 5 the forge cannot be reached. Reads only.",
    options: { ...lookOptions, timeout: { type: "string" }, interval: { type: "string" } },
    subject: "pull",
    run: async (options, terminal) => {
      const spans = { timeout: asText(options["timeout"]), interval: asText(options["interval"]) };
      return await wait({ ...asLook(options), ...spans }, terminal);
    },
  },
  init: {
    usage:
      "drover init --workflow --action owner/name@COMMIT [--gitea] [--folder DIR] [--force] | --github-app [--org NAME] [--url https://drover.example] [--port N] [--api-url URL] [--data DIR] | --gitea [--api-url https://git.example] [--url https://drover.example] [--repo owner/name,…] [--data DIR] [--json]",
    meaning:
      "Writes the workflow that runs Drover as an Action, makes the GitHub App that a server works as, with exactly the rights it needs, or says what a Gitea server needs and makes its webhooks.",
    options: {
      workflow: { type: "boolean" },
      "github-app": { type: "boolean" },
      gitea: { type: "boolean" },
      repo: { type: "string" },
      force: { type: "boolean" },
      action: { type: "string" },
      folder: { type: "string" },
      port: { type: "string" },
      org: { type: "string" },
      url: { type: "string" },
      "api-url": { type: "string" },
      data: { type: "string" },
      json: { type: "boolean" },
    },
    run: async (options, terminal) =>
      await processSignals.stoppable(async (signal) => await init(asInitCall(options), terminal, signal)),
  },
  demo: {
    usage: "drover demo [--fast] [--json] [--folder DIR]",
    meaning:
      "One pull from opened to merged, on a forge in a folder, with real git; no key, no server, no account. The folder stays.",
    options: { fast: { type: "boolean" }, json: { type: "boolean" }, folder: { type: "string" } },
    run: async (options, terminal) =>
      await demo(
        {
          isFast: options["fast"] === true,
          isJson: options["json"] === true,
          folder: asText(options["folder"]),
        },
        terminal,
      ),
  },
};

/** Exit code 0 when all went well, 1 when something failed, 2 when the call was wrong. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    terminal.out(helpPage());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "version") {
    terminal.out(`drover ${version}\n`);
    return 0;
  }
  try {
    const [second = "", ...others] = rest;
    const isPair = Object.hasOwn(commands, `${name} ${second}`);
    return isPair ? await runCommand(`${name} ${second}`, others, terminal) : await runCommand(name, rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`drover: ${error.message}\n`);
    return 2;
  }
}

async function runCommand(name: string, rest: readonly string[], terminal: Terminal): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const isHelp = rest.includes("--help") || rest.includes("-h");
  const family = Object.entries(commands).filter(([key]) => key === name || key.startsWith(`${name} `));
  if (isHelp && family.length > 0) {
    terminal.out(family.map(([, { usage, meaning }]) => `${usage}\n\n${meaning}\n`).join("\n"));
    return 0;
  }
  if (command === undefined) {
    throw new UsageError(
      `there is no command "${name}". There is: ${Object.keys(commands).join(", ")}, help, version.`,
    );
  }
  return await command.run(readOptions(command, rest), terminal);
}

function readOptions(command: CommandEntry, rest: readonly string[]): Record<string, string | boolean | undefined> {
  try {
    const { options, subject } = command;
    const allowPositionals = subject !== undefined;
    const { values, positionals } = parseArgs({ args: [...rest], options, strict: true, allowPositionals });
    const [named, ...more] = positionals;
    if (subject === undefined || named === undefined) return values;
    if (more.length > 0 || values[subject] !== undefined) throw new Error(`One pull is enough`);
    return { ...values, [subject]: named };
  } catch (error) {
    // Node's own words go on with advice for programmers, in further sentences or lines.
    const why = error instanceof Error ? error.message.split(/\.[ \n]/u)[0] : String(error);
    throw new UsageError(`${why}.\nusage: ${command.usage}`, { cause: error });
  }
}

function placeOf(signal: AbortSignal): ReviewCommandContext {
  return { cwd: process.cwd(), isErrShown: process.stderr.isTTY, signal, now: () => performance.now() };
}

function asDbCall({ data, file, json }: Parameters<CommandEntry["run"]>[0]): DbCall {
  return { data: asText(data), file: asText(file), isJson: json === true };
}

function asInitCall(options: Parameters<CommandEntry["run"]>[0]): InitCall {
  const { workflow, "github-app": githubApp, gitea, force, json, "api-url": apiUrl, action, folder } = options;
  return {
    isWorkflow: workflow === true,
    isGitea: gitea === true,
    repo: asText(options["repo"]),
    isGithubApp: githubApp === true,
    isForced: force === true,
    isJson: json === true,
    action: asText(action),
    folder: asText(folder),
    port: asText(options["port"]),
    org: asText(options["org"]),
    url: asText(options["url"]),
    apiUrl: asText(apiUrl),
    data: asText(options["data"]),
  };
}

function asTarget({ repo, pull, forge, "api-url": apiUrl, event, config, json }: Parameters<CommandEntry["run"]>[0]) {
  const place = { repo: asText(repo), pull: asText(pull), forge: asText(forge), apiUrl: asText(apiUrl) };
  return { ...place, event: asText(event), config: asText(config), isJson: json === true };
}

function asLook(options: Parameters<CommandEntry["run"]>[0]) {
  return { ...asTarget(options), bot: asText(options["bot"]) };
}

function asText(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function helpPage(): string {
  const lines = Object.values(commands).map(({ usage, meaning }) => `  ${usage}\n      ${meaning}\n`);
  return `drover ${version}: takes a pull from opened to merged\n\n${lines.join("\n")}\n  drover help | version\n`;
}
