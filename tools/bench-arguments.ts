/**
 * The benches by name. Each part is a function `(print, options) => Promise<void>` in test/bench/; the options of a bench
 * are those listed here, with what holds when nothing is said.
 */
export const BENCHES = {
  core: {
    about: "derive and plan by number of comments; diff parsing and anchoring in MB/s beside npm's parsers",
    options: {},
    parts: [
      { path: "test/bench/core.ts", name: "benchCore" },
      { path: "test/bench/diff.ts", name: "benchDiff" },
    ],
  },
  intake: {
    about: "signed deliveries per second, beside Probot's server and bare Node",
    options: { seconds: 5, rounds: 9, connections: 64, only: "", pump: "on", profile: "off" },
    parts: [{ path: "test/bench/intake.ts", name: "benchIntake" }],
  },
  scale: {
    about:
      "ticks per second by workers and replicas; memory, cold start, idle cost and cost per tick by number of pulls",
    options: { pulls: 10_000, seconds: 10, rounds: 3, idle: 60, only: "", profile: "off" },
    parts: [{ path: "test/bench/scale.ts", name: "benchScale" }],
  },
  start: {
    about: "how long the command line takes to start, beside an empty program of Node",
    options: { rounds: 41 },
    parts: [{ path: "test/bench/start.ts", name: "benchStart" }],
  },
  tokens: {
    about:
      "what a model's review sends beside the diff, with and without cache, beside PR-Agent's; packing and counting speed; detection of injected orders",
    options: { diffs: 200, "pr-agent": "" },
    parts: [{ path: "test/bench/tokens.ts", name: "benchTokens" }],
  },
  watch: {
    about: "requests and points per hour for watching open pulls on GitHub, beside two calls per pull every 30 seconds",
    options: { pulls: "10,100,1000", minutes: 60, changing: 1, repository: 100, naive: 3 },
    parts: [{ path: "test/bench/watch.ts", name: "benchWatch" }],
  },
} as const satisfies Readonly<Record<string, Bench>>;
export type BenchName = keyof typeof BENCHES;

interface Bench {
  readonly about: string;
  readonly options: BenchOptions;
  readonly parts: readonly { readonly path: string; readonly name: string }[];
}

type BenchOptions = Readonly<Record<string, number | string>>;

export type ChosenBenches =
  | { readonly kind: "run"; readonly benches: readonly ChosenBench[] }
  | { readonly kind: "list"; readonly text: string }
  | { readonly kind: "wrong"; readonly message: string };

export interface ChosenBench {
  readonly name: BenchName;
  readonly options: BenchOptions;
}

/** No name lists what there is; an unknown name or option says so beside the list. */
export function chooseBenches(args: readonly string[]): ChosenBenches {
  if (args.length === 0 || args.includes("--help") || args.includes("-h")) {
    return { kind: "list", text: `usage: npm run bench -- NAME ... [--OPTION=VALUE ...]\n${listOfBenches()}` };
  }
  const words = args.filter((word) => !word.startsWith("--"));
  const names = words.filter(isBenchName);
  const given = args.filter((word) => word.startsWith("--")).map(readOption);
  const problems = [
    ...words.filter((name) => !isBenchName(name)).map((name) => `no such bench: ${name}`),
    ...given.flatMap((option) => problemsOf(option, names)),
    ...(words.length === 0 ? ["which bench?"] : []),
  ];
  if (problems.length > 0) return { kind: "wrong", message: `${problems.join("\n")}\n${listOfBenches()}` };
  return { kind: "run", benches: names.map((name) => ({ name, options: optionsOf(name, given) })) };
}

interface GivenOption {
  readonly name: string;
  readonly value: string;
}

function readOption(word: string): GivenOption {
  const [, name = "", value = ""] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  return { name, value };
}

function problemsOf({ name, value }: GivenOption, benches: readonly BenchName[]): readonly string[] {
  const known = benches.flatMap((bench) => findOption(bench, name) ?? []);
  if (known.length === 0 && benches.length > 0) return [`no such option: --${name}`];
  if (value === "") return [`expected a value: --${name}=…`];
  const isWrong = known.some((usual) => typeof usual === "number" && !(Number(value) > 0));
  return isWrong ? [`expected a number above 0: --${name}=${value}`] : [];
}

function optionsOf(bench: BenchName, given: readonly GivenOption[]): BenchOptions {
  const usual: BenchOptions = BENCHES[bench].options;
  const chosen = given.flatMap(({ name, value }) => {
    const was = findOption(bench, name);
    return was === undefined ? [] : [[name, typeof was === "number" ? Number(value) : value] as const];
  });
  return { ...usual, ...Object.fromEntries(chosen) };
}

function findOption(bench: BenchName, name: string): number | string | undefined {
  const usual: BenchOptions = BENCHES[bench].options;
  return Object.hasOwn(usual, name) ? usual[name] : undefined;
}

function listOfBenches(): string {
  const lines = Object.entries<Bench>(BENCHES).flatMap(([name, { about, options }]) => {
    const usual = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
    return [`  ${name}: ${about}`, ...(usual.length === 0 ? [] : [`    ${usual.join(" ")}`])];
  });
  return ["There is:", ...lines].join("\n");
}

function isBenchName(name: string): name is BenchName {
  return Object.hasOwn(BENCHES, name);
}
