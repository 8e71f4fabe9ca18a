import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { makeProgram } from "#cli/commands.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { closestWord } from "#config/closest-word.ts";

const wrongUsage = 2;

export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const onEnd = (code: number): void => {
    exitCode = code;
  };
  const program = makeProgram(terminal, onEnd, argv);
  if (argv.length === 0) {
    program.outputHelp();
    return wrongUsage;
  }
  try {
    refuseMistakes(program, argv);
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    // Help and version end in this way too, with 0. What was wrong has been printed.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`drover: ${error.message}\n`);
    return wrongUsage;
  }
}

/** The library would take `--json` in `--output --json` as a value, and `queue retyr` as an argument. */
function refuseMistakes(program: CommandUnknownOpts, argv: readonly string[]): void {
  const { command, rest } = calledCommand(program, argv);
  const [first = "-"] = rest;
  if (command.parent !== null && command.commands.length > 0 && !first.startsWith("-")) {
    const meant = closestWord(
      first,
      command.commands.map((one) => one.name()),
    );
    command.error(`error: unknown command '${first}'${meant === undefined ? "" : `\n(Did you mean ${meant}?)`}`);
  }
  for (const [index, word] of rest.entries()) {
    if (word === "--") return;
    const value = rest[index + 1] ?? "";
    const option = command.options.find(({ long, required }) => required && long === word);
    if (option === undefined || !/^-./.test(value)) continue;
    command.error(`error: option '${option.flags}' needs a value. If ${value} is meant, write ${word}=${value}.`);
  }
}

function calledCommand(command: CommandUnknownOpts, argv: readonly string[]): Called {
  const [word, ...rest] = argv;
  const named = command.commands.find((one) => one.name() === word);
  return named === undefined ? { command, rest: argv } : calledCommand(named, rest);
}

interface Called {
  readonly command: CommandUnknownOpts;
  readonly rest: readonly string[];
}
