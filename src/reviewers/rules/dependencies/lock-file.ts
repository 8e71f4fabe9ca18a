import { z } from "zod";
import { type Dependency, readJson } from "#reviewers/rules/dependencies/package-manifest.ts";

export type KnowsDependency = (wanted: RequiredDependency) => boolean | undefined;

export interface RequiredDependency extends Dependency {
  /** The manifest's folder, seen from the lock file's; empty where both are the same. */
  readonly folder: string;
}

/** In the order in which tools look for them. */
export const packageLocks: ReadonlyMap<string, (lock: string) => KnowsDependency> = new Map([
  ["package-lock.json", readNpmLock],
  ["npm-shrinkwrap.json", readNpmLock],
  ["pnpm-lock.yaml", readPnpmLock],
  ["yarn.lock", readYarnLock],
  ["bun.lock", readBunLock],
]);

const section = z.record(z.string(), z.string()).optional().catch(undefined);
const NpmLock = z.object({
  packages: z
    .record(
      z.string(),
      z.object({ dependencies: section, devDependencies: section, optionalDependencies: section }).catch({}),
    )
    .optional(),
});

/** Npm's lock repeats each package.json's requests, so the comparison is exact; before npm 7 it did not. */
export function readNpmLock(lock: string): KnowsDependency {
  const packages = readJson(lock, NpmLock)?.packages;
  return ({ name, wanted, section: part, folder }) => {
    const entry = packages?.[folder];
    return entry === undefined ? undefined : entry[part]?.[name] === wanted;
  };
}

function readYarnLock(lock: string): KnowsDependency {
  return ({ name, wanted }) =>
    isLocal(wanted) ? undefined : lock.includes(`${name}@${wanted}`) || lock.includes(`${name}@npm:${wanted}`);
}

function readPnpmLock(lock: string): KnowsDependency {
  return ({ name, wanted }) => {
    if (isLocal(wanted)) return undefined;
    const isNamed = new RegExp(`^\\s*['"]?${escaped(name)}['"]?:`, "m").test(lock);
    return isNamed && new RegExp(`^\\s*specifier: ['"]?${escaped(wanted)}['"]?\\s*$`, "m").test(lock);
  };
}

function readBunLock(lock: string): KnowsDependency {
  return ({ name, wanted }) => (isLocal(wanted) ? undefined : lock.includes(`"${name}": "${wanted}"`));
}

/** The workspace, a catalogue or a folder: no entry of its own. */
function isLocal(wanted: string): boolean {
  return /^(?:workspace|catalog|link|file|portal|patch|npm):/.test(wanted);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
