import { parseArgs } from "node:util";
import { errorText } from "#core/error-text.ts";

/** Seeded generators take 32 bits: a greater seed would silently repeat a smaller one. */
const seedMax = 2 ** 32 - 1;

export interface SimulateArguments {
  readonly firstSeed: number;
  readonly seeds: number;
  readonly trace: boolean;
  readonly json: boolean;
  /** Played in each life; absent: as each seed draws it. */
  readonly scene?: string;
}

export type ParsedSimulateArguments =
  | { readonly kind: "run"; readonly arguments: SimulateArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

/** About two minutes on two cores. */
const seedsUsual = 2_000;

export const SIMULATE_USAGE = `usage: npm run simulate -- [--seeds N] [--json] | --seed N [--seeds N] [--json] | --seed N --trace
  --seeds N  run N seeds, starting with the one that --seed names; without it ${seedsUsual} or N that are new each time
  --seed N   run the seed N
  --trace    print every event; for one seed only
  --scene S  play this scene in each life; test/simulation/scenes.ts lists them
  --json     print nothing but the figures, as JSON`;

/** Reads the command line of `npm run simulate`. `draw` answers with a whole number from 0 to below its bound. */
export function parseSimulateArguments(
  args: readonly string[],
  draw: (bound: number) => number,
): ParsedSimulateArguments {
  const values = parseOptions(args);
  if (typeof values === "string") {
    return wrong(values);
  }
  if (values.help === true) {
    return { kind: "help" };
  }
  const count = values.seeds ?? String(values.seed === undefined ? seedsUsual : 1);
  const seeds = readNumber(count, { min: 1, max: seedMax });
  if (seeds === undefined) {
    return wrong(`--seeds wants a whole number from 1 to ${seedMax}, not ${values.seeds}`);
  }
  const newSeed = (): number => draw(seedMax - seeds + 2);
  const firstSeed = values.seed === undefined ? newSeed() : readNumber(values.seed, { min: 0, max: seedMax });
  if (firstSeed === undefined) {
    return wrong(`--seed wants a whole number from 0 to ${seedMax}, not ${values.seed}`);
  }
  if (firstSeed + seeds - 1 > seedMax) {
    return wrong(`the last seed would be greater than ${seedMax}`);
  }
  if (values.trace === true && seeds > 1) {
    return wrong("--trace is for one seed: name it with --seed");
  }
  if (values.trace === true && values.json === true) {
    return wrong("--trace tells a story and --json prints figures: choose one");
  }
  const scene = values.scene === undefined ? {} : { scene: values.scene };
  const told = { firstSeed, seeds, trace: values.trace === true, json: values.json === true };
  return { kind: "run", arguments: { ...told, ...scene } };
}

/** Answers with the message of the parser if it does not understand the line. */
function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: "string" },
        seed: { type: "string" },
        trace: { type: "boolean" },
        scene: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
      strict: true,
    }).values;
  } catch (error) {
    return errorText(error);
  }
}

function readNumber(text: string, range: { readonly min: number; readonly max: number }): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value >= range.min && value <= range.max ? value : undefined;
}

function wrong(message: string): ParsedSimulateArguments {
  return { kind: "wrong", message };
}
