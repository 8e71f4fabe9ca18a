import { isAbsolute, join } from "node:path";
import { userEnvironment } from "#app/review/user-environment.ts";
import { mustRun, type RunGit } from "#git/run-git.ts";

export type CheckoutConfig = readonly (readonly [string, string])[];

/**
 * What of the user's git configuration has to hold, so that the working tree means to us what it means to the user. All
 * the rest stays out: it can start programs. Filters among it, so that what they would turn back is read as it lies.
 */
export async function readCheckoutConfig(
  runGit: RunGit,
  place: {
    readonly gitDir: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<CheckoutConfig> {
  const { stdout } = await mustRun(runGit, {
    args: ["config", "--list", "-z", "--show-scope"],
    gitDir: place.gitDir,
    environment: userEnvironment(place.env),
    signal: place.signal,
  });
  const values = readValues(stdout.toString());
  const kept = keptKeys.flatMap((key) => {
    const value = values.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return [...kept, ...excludesFile(values, place.env), ...fixed, ...[...values.keys()].flatMap(withoutFilter)];
}

/** How files lie on this disk: line ends, modes, links, capitals. */
const keptKeys = [
  "core.autocrlf",
  "core.eol",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
];

/** What we write lives for seconds, and an index of ours must not leave parts in the repository. */
const fixed: CheckoutConfig = [
  ["core.fsync", "none"],
  ["core.looseCompression", "0"],
  ["core.splitIndex", "false"],
];

/** Scope, key and value; the last one of a key counts. What we said ourselves has the scope `command`. */
function readValues(output: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const parts = output.split("\0");
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const entry = parts[index + 1] ?? "";
    const border = entry.indexOf("\n");
    if (parts[index] === "command") continue;
    // A key without a value means true.
    values.set(border === -1 ? entry : entry.slice(0, border), border === -1 ? "true" : entry.slice(border + 1));
  }
  return values;
}

/** What the user ignores everywhere is no part of the change. */
function excludesFile(
  values: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): CheckoutConfig {
  const { HOME: home = "", XDG_CONFIG_HOME: configHome = "" } = env;
  const usual = configHome === "" ? join(home, ".config", "git", "ignore") : join(configHome, "git", "ignore");
  const said = values.get("core.excludesfile")?.replace(/^~(?=\/)/, home) ?? usual;
  return isAbsolute(said) ? [["core.excludesFile", said]] : [];
}

function withoutFilter(key: string): CheckoutConfig {
  const name = /^filter\.(.+)\.(?:clean|process|smudge|required)$/s.exec(key)?.[1];
  if (name === undefined) return [];
  return [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ];
}
