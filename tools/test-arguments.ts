import { parseArgs } from "node:util";
import { errorText } from "#core/error-text.ts";
import { quickProject } from "./test-tiers.ts";

/** The steps of `npm test`, in order. */
export const STEP_NAMES = ["format", "lint", "unused", "types", "tests", "build", "tree"] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface TestArguments {
  readonly steps: readonly StepName[];
  /** Whether only the quick tests run; where files are named, all tests in them do. */
  readonly isQuick: boolean;
  /** Parts of paths, as vitest takes them: only test files whose path holds one of them run. */
  readonly filters: readonly string[];
  readonly isJson: boolean;
  readonly areSkipsForbidden: boolean;
}

export type ParsedTestArguments =
  | { readonly kind: "run"; readonly arguments: TestArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

export const TEST_USAGE = `usage: npm test -- [--all] [--only step,step] [--json] [file filter ...]
  --all         run all tests: also databases, real processes, the Action and real Gitea servers, which take minutes more
  --only STEPS  run only these of ${STEP_NAMES.join(", ")}
  --json        print the result as JSON on standard output, and everything else on standard error
  file filter   run only the tests whose path holds one of these words, quick or not (and no other step, unless --only
                asks for it)
With CI=true or DROVER_FORBID_SKIPS=1 a skipped test is a failed one.`;

/** Reads the command line and the environment of `npm test`. */
export function parseTestArguments(args: readonly string[], env: NodeJS.ProcessEnv): ParsedTestArguments {
  const parsed = parseOptions(args);
  if (typeof parsed === "string") {
    return { kind: "wrong", message: parsed };
  }
  if (parsed.values.help === true) {
    return { kind: "help" };
  }
  const filters = parsed.positionals;
  const named = parsed.values.only?.split(",").map((name) => name.trim());
  const unknown = named?.filter((name) => !isStepName(name)) ?? [];
  if (unknown.length > 0) {
    return { kind: "wrong", message: `no such step: ${unknown.join(", ")}` };
  }
  const wanted = named ?? (filters.length > 0 ? ["tests"] : STEP_NAMES);
  if (filters.length > 0 && !wanted.includes("tests")) {
    return { kind: "wrong", message: "file filters need the step tests" };
  }
  return {
    kind: "run",
    arguments: {
      steps: STEP_NAMES.filter((name) => wanted.includes(name)),
      isQuick: parsed.values.all !== true && filters.length === 0,
      filters,
      isJson: parsed.values.json === true,
      areSkipsForbidden: isOn(env["CI"]) || isOn(env["DROVER_FORBID_SKIPS"]),
    },
  };
}

/** What vitest is told of it. */
export function vitestArguments({ isQuick, filters }: Pick<TestArguments, "isQuick" | "filters">): readonly string[] {
  // A forgotten `.only` would silence every other test of its file, and a missing snapshot would write itself.
  const strict = ["--allowOnly=false", "--update=none"];
  return ["run", ...strict, ...(isQuick ? [`--project=${quickProject}`] : []), ...filters];
}

/** Answers with the message of the parser if it does not understand the line. */
function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        all: { type: "boolean" },
        only: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    return errorText(error);
  }
}

function isStepName(name: string): name is StepName {
  return STEP_NAMES.some((step) => step === name);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.toLowerCase());
}
