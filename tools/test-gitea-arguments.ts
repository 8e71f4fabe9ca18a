import { parseArgs } from "node:util";
import { errorText } from "#core/error-text.ts";
import { type GiteaBuild, giteaBuilds } from "#real-gitea/gitea-builds.ts";

export interface GiteaArguments {
  readonly builds: readonly GiteaBuild[];
  readonly isBuildOnly: boolean;
  /** Parts of paths, as vitest takes them. */
  readonly filters: readonly string[];
}

export type ParsedGiteaArguments =
  | { readonly kind: "run"; readonly arguments: GiteaArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

const versions = giteaBuilds.map(({ version }) => version);

export const GITEA_USAGE = `usage: npm run test:gitea -- [--versions ${versions.join(",")}] [--build-only] [file filter ...]
  --versions LIST  only these
  --build-only     build what is missing, and run nothing
  file filter      run only the tests whose path holds one of these words
Builds Gitea's servers where they are missing, which takes Go and minutes, and runs all tests that want a real one.`;

export function parseGiteaArguments(args: readonly string[]): ParsedGiteaArguments {
  const parsed = parseOptions(args);
  if (typeof parsed === "string") return { kind: "wrong", message: parsed };
  if (parsed.values.help === true) return { kind: "help" };
  const wanted = parsed.values.versions?.split(",").map((version) => version.trim()) ?? versions;
  const unknown = wanted.filter((version) => !versions.includes(version));
  if (unknown.length > 0) return { kind: "wrong", message: `not a version of the tests: ${unknown.join(", ")}` };
  return {
    kind: "run",
    arguments: {
      builds: giteaBuilds.filter(({ version }) => wanted.includes(version)),
      isBuildOnly: parsed.values["build-only"] === true,
      filters: parsed.positionals,
    },
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        versions: { type: "string" },
        "build-only": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    return errorText(error);
  }
}
