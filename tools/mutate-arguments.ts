import { parseArgs } from "node:util";
import { errorText } from "#core/error-text.ts";

/** As many as the simulation runs in about a minute; most guards are missed within the first few. */
const seedsUsual = 1_500;
const seedsMax = 100_000;

export interface MutateArguments {
  readonly seeds: number;
  readonly only: readonly string[];
  readonly json: boolean;
}

export type ParsedMutateArguments =
  | { readonly kind: "run"; readonly arguments: MutateArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

export const MUTATE_USAGE = `usage: npm run mutate -- [--only NAME]... [--seeds N] [--json]
  --only NAME  remove only this guard; may be repeated
  --seeds N    give up on a guard after N seeds, besides those that once found something (${seedsUsual})
  --json       print one JSON array instead of lines`;

/** Reads the command line of `npm run mutate`. */
export function parseMutateArguments(args: readonly string[]): ParsedMutateArguments {
  const values = parseOptions(args);
  if (typeof values === "string") {
    return { kind: "wrong", message: values };
  }
  if (values.help === true) {
    return { kind: "help" };
  }
  const seeds = readCount(values.seeds ?? String(seedsUsual));
  if (seeds === undefined) {
    return { kind: "wrong", message: `--seeds wants a whole number from 1 to ${seedsMax}, not ${values.seeds}` };
  }
  return { kind: "run", arguments: { seeds, only: values.only ?? [], json: values.json === true } };
}

/** Answers with the message of the parser if it does not understand the line. */
function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: "string" },
        only: { type: "string", multiple: true },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
      strict: true,
    }).values;
  } catch (error) {
    return errorText(error);
  }
}

function readCount(text: string): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= seedsMax ? value : undefined;
}
