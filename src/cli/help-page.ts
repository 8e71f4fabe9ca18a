import type { AddHelpTextContext, Command } from "@commander-js/extra-typings";
import type { Terminal } from "#cli/terminal.ts";

export type HelpRow = readonly [name: string, about: string];

const columnsUsual = 80;
const columnsMax = 100;
const columnsWrappedMin = 20;

export function configurePages(program: Command, { out, err, columns = columnsUsual }: Terminal): void {
  // Long lines are hard to read, even in a wide terminal.
  const getColumns = (): number => Math.min(columnsMax, columns);
  program
    .exitOverride()
    .helpOption("-h, --help", "print this page")
    .helpCommand("help [command]", "print the page of a command")
    .showHelpAfterError("See drover --help.")
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: columnsWrappedMin })
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(text.replace(/^error: /, "drover: ")),
      getOutHelpWidth: getColumns,
      getErrHelpWidth: getColumns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

export function variables(rows: readonly HelpRow[]): (context: AddHelpTextContext) => string {
  const nameColumns = Math.max(...rows.map(([name]) => name.length));
  return ({ command }) => {
    const help = command.createHelp();
    help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? columnsUsual });
    return ["\nEnvironment:", ...rows.map(([name, about]) => help.formatItem(name, nameColumns, about, help))].join(
      "\n",
    );
  };
}

export function examples(...lines: readonly string[]): string {
  return ["\nExamples:", ...lines.map((line) => `  ${line}`)].join("\n");
}
