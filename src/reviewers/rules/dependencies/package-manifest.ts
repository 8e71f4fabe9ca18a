import { z } from "zod";
import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import { baseName } from "#reviewers/rules/language.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

const texts = z.record(z.string(), z.string()).optional().catch(undefined);

const PackageManifest = z.object({
  dependencies: texts,
  devDependencies: texts,
  optionalDependencies: texts,
  scripts: texts,
});
export type PackageManifest = z.infer<typeof PackageManifest>;

export const dependencySections = ["dependencies", "devDependencies", "optionalDependencies"] as const;

export interface Dependency {
  readonly section: (typeof dependencySections)[number];
  readonly name: string;
  readonly wanted: string;
}

export function isPackageManifest(file: ChangedFile): boolean {
  return baseName(file.path) === "package.json" && file.diff.kind !== "deleted";
}

export function readManifest(text: string | null): PackageManifest | null {
  return readJson(text, PackageManifest);
}

/** Null where it does not parse: the author's own tools say so. */
export function readJson<Schema extends z.ZodType>(text: string | null, schema: Schema): z.infer<Schema> | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export async function readBothManifests(
  file: ChangedFile,
  change: RuleContext,
): Promise<{ readonly before: PackageManifest; readonly after: PackageManifest } | null> {
  const after = readManifest(await change.readText("new", file.path));
  const oldPath = file.diff.oldPath?.text;
  const before = oldPath === undefined ? noManifest : readManifest(await change.readText("old", oldPath));
  return after === null || before === null ? null : { before, after };
}

const noManifest: PackageManifest = {};

export function dependenciesOf(manifest: PackageManifest): readonly Dependency[] {
  return dependencySections.flatMap((section) =>
    Object.entries(manifest[section] ?? {}).map(([name, wanted]) => ({ section, name, wanted })),
  );
}

export function newDependencies(before: PackageManifest, after: PackageManifest): readonly Dependency[] {
  const wanted = dependenciesOf(after).filter((one) => before[one.section]?.[one.name] !== one.wanted);
  return wanted.slice(0, dependenciesMax);
}

/** Each is looked for in a whole lock file. */
export const dependenciesMax = 500;

/** As manifests are written: one entry a line. */
export function entryFinder(file: ChangedFile): (key: string, value: string) => Line | undefined {
  const lines = new Map<string, Line>();
  for (const line of addedCode(file)) {
    const entry = /^\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*")\s*,?\s*$/.exec(line.text);
    if (entry !== null && !lines.has(`${entry[1]}:${entry[2]}`)) lines.set(`${entry[1]}:${entry[2]}`, line);
  }
  return (key, value) => lines.get(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
}
