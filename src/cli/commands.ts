import { Argument, Command } from "@commander-js/extra-typings";
import { version } from "#app/version.ts";
import {
  describeEval,
  describeExplain,
  describeReview,
  describeRun,
  describeWait,
  describeWatch,
} from "#cli/change-commands.ts";
import { type ActionContext, choice, dataOption, json, readChoice, secretRow } from "#cli/command-parts.ts";
import { configurePages, examples, type HelpRow, variables } from "#cli/help-page.ts";
import { processSignals } from "#cli/signals.ts";
import type { Terminal } from "#cli/terminal.ts";

/** Code and options of a command load only when it is called: help must not wait for them. */
export function makeProgram(terminal: Terminal, onEnd: (exitCode: number) => void, words?: readonly string[]): Command {
  const program = new Command("drover");
  const context: ActionContext = {
    terminal,
    ends:
      (work) =>
      async (...args) =>
        onEnd(await work(...args)),
  };
  configurePages(program, terminal);
  // What follows `queue retry` is of `retry` alone, though `queue` has options of the same names.
  program.enablePositionalOptions();
  program.description("Takes a pull request from opened to merged.");
  program.version(`drover ${version}`, "--version", "print the version");
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const [name, [summary, describe]] of Object.entries(commands)) {
      const command = program.command(name).summary(summary).showHelpAfterError(`See drover ${name} --help.`);
      if (words === undefined || words.includes(name)) describe(command, context);
    }
  }
  return program;
}

type Describe = (command: Command, context: ActionContext) => void;

const groups: Readonly<Record<string, Readonly<Record<string, readonly [summary: string, describe: Describe]>>>> = {
  "Work on pulls:": {
    serve: ["run the server: take webhooks, poll, and work on every pull", describeServe],
    run: ["do everything that can be done for one pull now, and end", describeRun],
  },
  "Look at a pull:": {
    explain: ["say what a pull means and what Drover would do about it", describeExplain],
    watch: ["print each change of a pull until it is merged or closed", describeWatch],
    wait: ["wait until reviewers have decided about a pull", describeWait],
  },
  "Review changes:": {
    review: ["review a change on this machine", describeReview],
    eval: ["measure a reviewer on changes whose problems are known", describeEval],
  },
  "Set up and try out:": {
    init: ["make the workflow, the App or the webhooks that Drover needs", describeInit],
    demo: ["show one pull from opened to merged; no key, no account", describeDemo],
    sandbox: ["run a forge on this machine to try `drover serve` on", describeSandbox],
  },
  "Look after a server:": {
    queue: ["show what waits, what runs and what was set aside (queue retry)", describeQueue],
    cost: ["show what models have cost", describeCost],
    db: ["copy the database to a file or from one (db export, db import)", describeDb],
  },
  "About Drover:": {
    completions: ["print a script that completes commands and options in your shell", describeCompletions],
    version: ["print the version", describeVersion],
  },
};

function describeServe(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description(
      "Takes webhooks, polls, and works on every pull until it is stopped. SIGHUP reads the configuration again.",
    )
    .option("--config <file>", "the operator's configuration", "drover.config.yml")
    .addOption(dataOption)
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .option("--port <number>", "the port to listen on; 0 takes any that is free", "4170")
    .addHelpText("after", variables([databaseRow, secretRow]))
    .action(
      ends(async (options) => {
        const { serve } = await import("#cli/serve.ts");
        return await serve(options, terminal, processSignals);
      }),
    );
}

function describeInit(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description("Makes what Drover needs to begin. Say one of --workflow, --github-app and --gitea.")
    .option("--workflow", "write the workflow that runs Drover as an Action; with --gitea for Gitea Actions")
    .option("--github-app", "make the GitHub App that a server works as")
    .option("--gitea", "say what a Gitea server needs, and make its webhooks")
    .addOption(json)
    .optionsGroup("With --workflow:")
    .option("--action <owner/name@commit>", "the repository that holds Drover, and the commit to run")
    .option("--folder <dir>", "the repository to write into (default: this folder)")
    .option("--force", "write over a workflow that exists")
    .optionsGroup("With --github-app or --gitea:")
    .option("--org <name>", "the organisation that will own the App (default: you)")
    .option("--url <url>", "where the forge reaches Drover; without it there are no webhooks")
    .option("--port <number>", "the port of the page that makes the App (default: any that is free)")
    .option("--api-url <url>", "the API of GitHub Enterprise, or the Gitea server")
    .option("--repo <names>", "repositories of Gitea, with commas between them")
    .option("--data <dir>", "where keys and secrets are kept", "drover-data")
    .addHelpText(
      "after",
      variables([["GITEA_URL, GITEA_TOKEN", "the Gitea server, and the token that makes its webhooks"]]),
    )
    .addHelpText(
      "after",
      examples(
        "drover init --workflow --action owner/name@COMMIT",
        "drover init --github-app --org acme --url https://drover.example",
        "drover init --gitea --api-url https://git.example --url https://drover.example --repo acme/tools",
      ),
    )
    .action(
      ends(async (options) => {
        const { init } = await import("#cli/init.ts");
        return await processSignals.stoppable(async (signal) => await init(options, terminal, signal));
      }),
    );
}

function describeDemo(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description(
      "Shows one pull from opened to merged, on a forge in a folder, with real git repositories. The folder stays.",
    )
    .option("--fast", "do not pause between the scenes")
    .option("--folder <dir>", "an empty folder, or a new one (default: a temporary folder)")
    .addOption(json)
    .action(
      ends(async (options) => {
        const { demo } = await import("#cli/demo.ts");
        return await demo(options, terminal);
      }),
    );
}

function describeSandbox(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description("Runs a forge on this machine alone, to try `drover serve` on without any account. Ctrl-C ends it.")
    .option("--port <number>", "the port to listen on; 0 takes any that is free", "4180")
    .option("--folder <dir>", "an empty folder, or a new one (default: a temporary folder)")
    .addOption(choice("--manner <forge>", "the forge that it behaves like", ["github", "gitea"]).default("github"))
    .option("--webhooks <url>", "where webhooks are sent; needs --secret")
    .option("--secret <secret>", "what webhooks are signed with")
    .addOption(json)
    .addHelpText("after", examples("drover sandbox --webhooks http://127.0.0.1:4170 --secret try-it"))
    .action(
      ends(async (options) => {
        const { sandbox } = await import("#cli/sandbox.ts");
        return await sandbox(options, terminal, processSignals.untilStopped);
      }),
    );
}

function describeQueue(command: Command, { terminal, ends }: ActionContext): void {
  command
    .enablePositionalOptions()
    .description(
      "Shows what waits, what runs, and what was set aside and why. Asks the running server where there is one.",
    )
    .addOption(dataOption)
    .addOption(json)
    .addHelpText("after", variables([databaseRow]))
    .action(ends(async (options) => (await import("#cli/queue.ts")).queue(options, terminal)));
  command
    .command("retry")
    .summary("put back what was set aside")
    .description("Puts an entry back that was set aside, by the names that `drover queue` shows.")
    .requiredOption("--forge <name>", "the name of the forge in the configuration")
    .addOption(
      choice("--queue <name>", "the queue that it was in", [
        "tick",
        "talk",
        "review",
        "session",
        "landing",
        "poll",
      ]).makeOptionMandatory(),
    )
    .requiredOption("--key <key>", "its key")
    .addOption(dataOption)
    .addOption(json)
    .addHelpText("after", variables([databaseRow]))
    .action(ends(async (options) => (await import("#cli/queue.ts")).queueRetry(options, terminal)));
}

function describeCost(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description("Shows what models have cost. Asks the running server where there is one.")
    .addOption(
      choice("--by <what>", "what the costs are added up by", ["pull", "repository", "role", "model", "day"]).default(
        "pull",
      ),
    )
    .option("--since <time>", "a span such as 12h or 7d, or a day such as 2026-11-01", "7d")
    .option("--repo <owner/name>", "of this repository alone")
    .option("--pull <number>", "of this pull alone; needs --repo")
    .addOption(dataOption)
    .addOption(json)
    .addHelpText("after", variables([databaseRow]))
    .action(ends(async (options) => (await import("#cli/cost.ts")).cost(options, terminal)));
}

function describeDb(command: Command, { terminal, ends }: ActionContext): void {
  command.description("Copies everything that Drover remembers, such as from the embedded database to PostgreSQL.");
  command
    .command("export")
    .summary("write the database into a file")
    .description("Writes everything that Drover remembers into a file.")
    .requiredOption("--file <file>", "the file to write")
    .addOption(dataOption)
    .addOption(json)
    .addHelpText("after", variables([databaseRow]))
    .action(ends(async (options) => (await import("#cli/db.ts")).dbExport(options, terminal)));
  command
    .command("import")
    .summary("read a file into an empty database")
    .description("Reads the file of an export into an empty database.")
    .requiredOption("--file <file>", "the file to read")
    .addOption(dataOption)
    .addOption(json)
    .addHelpText("after", variables([databaseRow]))
    .action(ends(async (options) => (await import("#cli/db.ts")).dbImport(options, terminal)));
}

function describeCompletions(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description("Prints a script that completes commands, options and their values in your shell.")
    .addArgument(new Argument("<shell>", "your shell").choices(shells).argParser((word) => readChoice(word, shells)))
    .addHelpText(
      "after",
      examples(
        'eval "$(drover completions bash)"          # in ~/.bashrc',
        "source <(drover completions zsh)           # in ~/.zshrc, after compinit",
        "drover completions fish > ~/.config/fish/completions/drover.fish",
      ),
    )
    .action(
      ends(async (shell) => {
        const { completionScript } = await import("#cli/completion-script.ts");
        const whole = makeProgram(terminal, () => undefined);
        terminal.out(completionScript(shell, whole));
        return 0;
      }),
    );
}

const shells = ["bash", "zsh", "fish"] as const;

function describeVersion(command: Command, { terminal, ends }: ActionContext): void {
  command.description("Prints the version.").action(
    ends(async () => {
      terminal.out(`drover ${version}\n`);
      return 0;
    }),
  );
}

const databaseRow: HelpRow = ["DATABASE_URL", "a PostgreSQL database; used where --data is not given"];
