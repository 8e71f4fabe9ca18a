import { type Command, Option } from "@commander-js/extra-typings";
import { forgeKinds } from "#app/forge/forge-kinds.ts";
import { runMinutesUsual } from "#app/run/run-minutes.ts";
import { type ActionContext, choice, json, secretRow } from "#cli/command-parts.ts";
import { examples, type HelpRow, variables } from "#cli/help-page.ts";
import type { ReviewCommandContext } from "#cli/review.ts";
import { processSignals } from "#cli/signals.ts";
import { UsageError } from "#cli/terminal.ts";

export function describeRun(command: Command, { terminal, ends }: ActionContext): void {
  onePull(command)
    .description(
      "Does everything that can be done for one pull now, and ends. Exit codes: 0 passed, 1 blocked or failed, 2 wrong usage.",
    )
    .option("--timeout <duration>", "ends the run after this time", `${runMinutesUsual}m`)
    .option("--anew", "begin again although the notes on the pull were signed with another secret")
    .addHelpText("after", variables([...forgeRows, jobRow]))
    .addHelpText(
      "after",
      examples("drover run https://github.com/acme/tools/pull/12", "drover run --repo acme/tools --pull 12 --json"),
    )
    .action(
      ends(async (address, options) => {
        const { run } = await import("#cli/run.ts");
        const call = withAddress(address, options);
        return await processSignals.stoppable(async (signal) => await run(call, terminal, signal));
      }),
    );
}

export function describeExplain(command: Command, { terminal, ends }: ActionContext): void {
  onePull(command)
    .description(
      "Says what a pull, or a saved observation of one, means and what Drover would do about it. Reads only.",
    )
    .addOption(bot)
    .option("--observation <file>", "explain this saved observation (JSON, - for standard input), not a pull")
    .option("--anew", "explain as if Drover had no memory, where its notes were signed with another secret")
    .addHelpText("after", variables(forgeRows))
    .addHelpText(
      "after",
      examples(
        "drover explain https://github.com/acme/tools/pull/12",
        "drover explain --observation docs/examples/observation.json",
      ),
    )
    .action(
      ends(async (address, options) => {
        const { explain } = await import("#cli/explain.ts");
        return await explain(withAddress(address, options), terminal);
      }),
    );
}

export function describeWatch(command: Command, { terminal, ends }: ActionContext): void {
  onePull(command)
    .description(
      "Prints each change of a pull once, until the pull is merged or closed. Reads only. Exit codes: 0 merged or closed, 1 the pull cannot be looked at, 5 the forge cannot be reached for ten minutes.",
    )
    .addOption(bot)
    .addOption(interval)
    .addHelpText("after", variables(forgeRows))
    .action(
      ends(async (address, options) => {
        const { watch } = await import("#cli/watch.ts");
        return await watch(withAddress(address, options), terminal);
      }),
    );
}

export function describeWait(command: Command, { terminal, ends }: ActionContext): void {
  onePull(command)
    .description(
      "Waits until reviewers have decided about a pull. Reads only. Exit codes: 0 approved, 1 closed or cannot be looked at, 3 changes requested, 4 time is over, 5 the forge cannot be reached.",
    )
    .addOption(bot)
    .addOption(interval)
    .option("--timeout <duration>", "time to wait from now on (default: the review time-out of the rules)")
    .addHelpText("after", variables(forgeRows))
    .addHelpText("after", examples("drover wait https://github.com/acme/tools/pull/12 --timeout 90m"))
    .action(
      ends(async (address, options) => {
        const { wait } = await import("#cli/wait.ts");
        return await wait(withAddress(address, options), terminal);
      }),
    );
}

function onePull(command: Command) {
  return command
    .argument("[address]", "the address of the pull in a browser, in place of --repo and --pull")
    .option("--repo <owner/name>", "the repository (default: that of the CI job)")
    .option("--pull <number>", "the number of the pull, or its address (default: that of the CI job's event)")
    .addOption(
      choice(
        "--forge <kind>",
        "the kind of forge, if the address, the CI job or the configuration does not say it",
        forgeKinds,
      ),
    )
    .option("--api-url <url>", "the API of GitHub Enterprise, or the Gitea server")
    .option("--event <file>", "the event of the CI job, which says which pull (default: GITHUB_EVENT_PATH)")
    .option("--config <file>", "an operator's configuration: its rules, models and forges")
    .addOption(json);
}

function withAddress<Options extends { readonly pull?: string }>(address: string | undefined, options: Options) {
  if (address !== undefined && options.pull !== undefined) {
    throw new UsageError("one pull is enough: say its address, or --pull.");
  }
  return address === undefined ? options : { ...options, pull: address };
}

const bot = new Option("--bot <login>", "Drover's account, where several accounts write as Drover does");
const interval = new Option("--interval <duration>", "the time between two looks").default("30s");

const forgeRows: readonly HelpRow[] = [
  ["GITHUB_TOKEN, GITEA_TOKEN", "the token of the forge"],
  ["GITHUB_API_URL, GITEA_URL", "where the forge is, if --api-url does not say it"],
  secretRow,
];
const jobRow: HelpRow = ["GITHUB_REPOSITORY, GITHUB_EVENT_PATH", "which pull, in a CI job"];

export function describeReview(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description(
      "Reviews a change on this machine: the working tree, or what one of the first four options names. Needs no forge and no key. Exit codes: 0 nothing found, 1 findings, 2 wrong usage.",
    )
    .option("--base <ref>", "review everything since this branch left ref")
    .option("--diff <file>", "review this diff; - reads standard input")
    .option("--staged", "review what `git commit` would take")
    .option("--range <a..b>", "review the difference of two commits; a...b begins where b left a")
    .addOption(
      choice("--format <format>", "the form of the report", ["text", "json", "markdown", "sarif"]).default("text"),
    )
    .addOption(new Option("--json", "the same as --format json").implies({ format: "json" as const }))
    .addOption(
      choice("--fail-on <severity>", "which findings end with exit code 1", ["blocking", "problem", "never"]).default(
        "blocking",
      ),
    )
    .option("--role <names>", "the roles that look, with commas between them (default: all)")
    .addOption(model)
    .option("--budget <usd>", "what all roles together may cost, in dollars")
    .addOption(output)
    .option("--config <file>", "an operator's configuration with models, prices and rules")
    .addOption(colour)
    .addOption(color)
    .addHelpText("after", variables([keyRow, colourRow]))
    .addHelpText(
      "after",
      examples(
        "drover review --staged",
        "git diff | drover review --diff -",
        "drover review --base main --format sarif --output review.sarif",
      ),
    )
    .action(
      ends(async (options) => {
        const { review } = await import("#cli/review.ts");
        return await processSignals.stoppable(async (signal) => await review(options, terminal, placeOf(signal)));
      }),
    );
}

export function describeEval(command: Command, { terminal, ends }: ActionContext): void {
  command
    .description(
      "Measures a reviewer: it looks at changes whose problems are known, and what it finds, misses and makes up is counted. Exit codes: 0 done, 1 a bound was missed or not everything was run, 2 wrong usage or a wrong set.",
    )
    .requiredOption("--set <dir>", "the folder of cases, or of one case")
    .option("--role <names>", "the roles to measure, with commas between them (default: all)")
    .option("--config <file>", "an operator's configuration (default: the rules alone)")
    .addOption(model)
    .option("--against <file>", "compare with this configuration, or with the JSON report of an earlier run")
    .option("--repeat <number>", "how often each case is looked at", "1")
    .option("--jobs <number>", "how many cases are looked at at the same time", "4")
    .option("--budget <usd>", "begin nothing that could cost more, in dollars")
    .option("--resume <file>", "keep the answers in this file, and use those that it holds")
    .option("--skip-bad", "leave out cases that are wrong")
    .option("--fail-under-recall <share>", "exit code 1 where less of the known problems is found; 0 to 1")
    .option("--fail-under-precision <share>", "exit code 1 where less of what is found is right; 0 to 1")
    .addOption(json)
    .addOption(output)
    .addOption(colour)
    .addOption(color)
    .addHelpText("after", variables([keyRow, colourRow]))
    .addHelpText(
      "after",
      examples("drover eval --set eval", "drover eval --set eval --config new.yml --against old.yml"),
    )
    .action(
      ends(async (options) => {
        const { evaluate } = await import("#cli/eval.ts");
        return await processSignals.stoppable(async (signal) => await evaluate(options, terminal, placeOf(signal)));
      }),
    );
}

function placeOf(signal: AbortSignal): ReviewCommandContext {
  return { cwd: process.cwd(), isErrShown: process.stderr.isTTY, signal, now: () => performance.now() };
}

const model = new Option("--model <provider/model>", "a model that looks as well, such as openai/gpt-5-mini");
const output = new Option("--output <file>", "write the report here (default: standard output)");
const colour = new Option("--no-colour", "print no colours");
const color = new Option("--no-color", "the same as --no-colour").hideHelp();
const keyRow: HelpRow = ["OPENAI_API_KEY, ANTHROPIC_API_KEY, …", "the key of the model's provider"];
const colourRow: HelpRow = ["NO_COLOR, FORCE_COLOR", "no colours; colours also where there is no terminal"];
