import { parseArgs } from "node:util";
import { errorText } from "#core/error-text.ts";

const choices = { engine: ["embedded", "postgres"], manner: ["github", "gitea"], ending: ["kill", "stop"] } as const;

export interface FaultsArguments {
  readonly engine: (typeof choices.engine)[number];
  readonly manner: (typeof choices.manner)[number];
  readonly ending: (typeof choices.ending)[number];
  readonly lives: number;
  readonly seed: number;
}

export type ParsedFaultsArguments =
  | { readonly kind: "run"; readonly arguments: FaultsArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

export const FAULTS_USAGE = `usage: npm run faults -- [--lives N] [--engine embedded|postgres] [--manner github|gitea] [--ending kill|stop] [--seed N]
  Ends \`drover serve\` again and again at random moments while signed webhooks arrive, and judges it from the forge's side.
  --lives N   how many times, 200 by default
  --engine    the database in its own folder (default), or a PostgreSQL that is started for it
  --manner    of the forge, github by default
  --ending    kill: with SIGKILL (default); stop: with SIGTERM`;

/** Reads the command line of `npm run faults`. */
export function parseFaultsArguments(args: readonly string[]): ParsedFaultsArguments {
  const values = parseOptions(args);
  if (typeof values === "string") return { kind: "wrong", message: values };
  if (values.help === true) return { kind: "help" };
  const engine = choices.engine.find((each) => each === values.engine);
  const manner = choices.manner.find((each) => each === values.manner);
  const ending = choices.ending.find((each) => each === values.ending);
  if (engine === undefined || manner === undefined || ending === undefined) {
    return { kind: "wrong", message: "expected one of the values that are listed" };
  }
  const [lives, seed] = [Number(values.lives), Number(values.seed)];
  if (!Number.isInteger(lives) || lives < 1)
    return { kind: "wrong", message: `--lives wants a number, not ${values.lives}` };
  if (!Number.isInteger(seed)) return { kind: "wrong", message: `--seed wants a number, not ${values.seed}` };
  return { kind: "run", arguments: { engine, manner, ending, lives, seed } };
}

/** Answers with the message of the parser if it does not understand the line. */
function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        engine: { type: "string", default: "embedded" },
        manner: { type: "string", default: "github" },
        ending: { type: "string", default: "kill" },
        lives: { type: "string", default: "200" },
        seed: { type: "string", default: "1" },
        help: { type: "boolean", short: "h" },
      },
      strict: true,
    }).values;
  } catch (error) {
    return errorText(error);
  }
}
