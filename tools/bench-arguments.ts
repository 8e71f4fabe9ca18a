/** The benches by name. Each part is a function `(print) => Promise<void>` in test/bench/. */
export const BENCHES = {
  core: {
    about: "derive and plan by number of comments; diff parsing and anchoring in MB/s beside npm's parsers",
    parts: [
      { path: "test/bench/core.ts", name: "benchCore" },
      { path: "test/bench/diff.ts", name: "benchDiff" },
    ],
  },
} as const;
export type BenchName = keyof typeof BENCHES;

export type ChosenBenches =
  | { readonly kind: "run"; readonly names: readonly BenchName[] }
  | { readonly kind: "list"; readonly text: string }
  | { readonly kind: "wrong"; readonly message: string };

/** No name lists what there is; an unknown name says so beside the list. */
export function chooseBenches(args: readonly string[]): ChosenBenches {
  if (args.length === 0 || args.includes("--help") || args.includes("-h")) {
    return { kind: "list", text: `usage: npm run bench -- NAME ...\n${listOfBenches()}` };
  }
  const names = args.filter(isBenchName);
  const unknown = args.filter((name) => !isBenchName(name));
  return unknown.length === 0
    ? { kind: "run", names }
    : { kind: "wrong", message: `no such bench: ${unknown.join(", ")}\n${listOfBenches()}` };
}

function listOfBenches(): string {
  const lines = Object.entries(BENCHES).map(([name, bench]) => `  ${name}: ${bench.about}`);
  return ["There is:", ...lines].join("\n");
}

function isBenchName(name: string): name is BenchName {
  return Object.hasOwn(BENCHES, name);
}
