import { parseArgs } from "node:util";
import { demo } from "#cli/demo.ts";
import { explain } from "#cli/explain.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { version } from "#cli/version.ts";

interface CommandEntry {
  readonly usage: string;
  readonly meaning: string;
  readonly options: Readonly<Record<string, { readonly type: "string" | "boolean" }>>;
  readonly run: (
    options: Readonly<Record<string, string | boolean | undefined>>,
    terminal: Terminal,
  ) => Promise<number>;
}

const commands: Readonly<Record<string, CommandEntry>> = {
  explain: {
    usage: "drover explain --observation FILE.json [--json]",
    meaning:
      "What a saved observation means and what Drover would do about it; touches nothing. `-` reads standard input.",
    options: { observation: { type: "string" }, json: { type: "boolean" } },
    run: async (options, terminal) =>
      await explain({ observation: asText(options["observation"]), isJson: options["json"] === true }, terminal),
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
    return await runCommand(name, rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`drover: ${error.message}\n`);
    return 2;
  }
}

async function runCommand(name: string, rest: readonly string[], terminal: Terminal): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new UsageError(
      `there is no command "${name}". There is: ${Object.keys(commands).join(", ")}, help, version.`,
    );
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(`${command.usage}\n\n${command.meaning}\n`);
    return 0;
  }
  return await command.run(readOptions(command, rest), terminal);
}

function readOptions(command: CommandEntry, rest: readonly string[]): Record<string, string | boolean | undefined> {
  try {
    const { values } = parseArgs({ args: [...rest], options: command.options, strict: true, allowPositionals: false });
    return values;
  } catch (error) {
    const why = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new UsageError(`${why}.\nusage: ${command.usage}`, { cause: error });
  }
}

function asText(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function helpPage(): string {
  const lines = Object.values(commands).map(({ usage, meaning }) => `  ${usage}\n      ${meaning}\n`);
  return `drover ${version}: takes a pull from opened to merged\n\n${lines.join("\n")}\n  drover help | version\n`;
}
