import { listed } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { packageLocks, readNpmLock } from "#reviewers/rules/dependencies/lock-file.ts";
import {
  dependenciesMax,
  dependenciesOf,
  entryFinder,
  newDependencies,
  readBothManifests,
  readManifest,
} from "#reviewers/rules/dependencies/package-manifest.ts";
import { baseName, folderOf } from "#reviewers/rules/language.ts";
import { type Hit, hitFile, hitLine, type Rule } from "#reviewers/rules/rule.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

export const lockfileDrift: Rule = {
  name: "lockfile-drift",
  title: "Manifest and lock file disagree",
  score: 7,
  catches:
    "A dependency that a change adds or alters in package.json, Cargo.toml or go.mod and that the lock file of the head does not know (npm, pnpm, Yarn, Bun, Cargo, Go); and an npm lock file that was made for other versions than package.json asks for. Repositories without a lock file are left alone.",
  example: 'package.json: "zod": "4.6.7", package-lock.json still at 4.6.6',
  scope: "everything",
  applies: (file) => file.diff.kind !== "deleted" && driftOf.has(baseName(file.path)),
  check: async (file, change) => (await driftOf.get(baseName(file.path))?.(file, change)) ?? [],
};

const driftOf: ReadonlyMap<string, (file: ChangedFile, change: RuleContext) => Promise<readonly Hit[]>> = new Map([
  ["package.json", ofPackage],
  ["package-lock.json", ofNpmLock],
  ["Cargo.toml", ofCargo],
  ["go.mod", ofGo],
]);

async function ofPackage(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  const both = await readBothManifests(file, change);
  const wanted = both === null ? [] : newDependencies(both.before, both.after);
  const lock = wanted.length === 0 ? null : await findLock(file, change, [...packageLocks.keys()]);
  const knows = lock === null ? undefined : packageLocks.get(baseName(lock.path))?.(lock.text);
  if (lock === null || knows === undefined) return [];
  const find = entryFinder(file);
  const drifts = wanted.flatMap((one) => {
    const isUnknown = knows({ ...one, folder: lock.folder }) === false;
    const line = isUnknown ? find(one.name, one.wanted) : undefined;
    return line === undefined ? [] : [{ name: one.name, line: line.number }];
  });
  return say(drifts, lock.path);
}

/** The lock was made anew, and the manifest that asks for it was not committed. */
async function ofNpmLock(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  const folder = folderOf(file.path);
  const manifestPath = folder === "" ? "package.json" : `${folder}/package.json`;
  if (change.paths.has(manifestPath)) return [];
  const manifest = readManifest(await change.readText("new", manifestPath));
  const text = await change.readText("new", file.path);
  if (manifest === null || text === null) return [];
  const knows = readNpmLock(text);
  const unknown = dependenciesOf(manifest)
    .slice(0, dependenciesMax)
    .filter((one) => knows({ ...one, folder: "" }) === false);
  if (unknown.length === 0) return [];
  const message = `This lock file was made for other versions of ${names(unknown)} than ${codeSpan(manifestPath)} asks for, so \`npm ci\` refuses it. Commit the manifest it belongs to, or make the lock file anew.`;
  return [hitFile({ score: 7, message })];
}

async function ofCargo(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  const wanted = cargoDependencies(file).slice(0, dependenciesMax);
  const lock = wanted.length === 0 ? null : await findLock(file, change, ["Cargo.lock"]);
  if (lock === null) return [];
  return say(
    wanted.filter(({ name }) => !isInCargoLock(lock.text, name)),
    lock.path,
  );
}

async function ofGo(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  const wanted = goRequirements(file).slice(0, dependenciesMax);
  const lock = wanted.length === 0 ? null : await findLock(file, change, ["go.sum"]);
  if (lock === null || lock.folder !== "") return [];
  return say(
    wanted.filter((one) => !isInGoSum(lock.text, one)),
    lock.path,
  );
}

/** One hit a manifest: a new lock file settles all. */
function say(drifts: readonly { readonly name: string; readonly line: number }[], lockPath: string): readonly Hit[] {
  const [first] = drifts.toSorted((one, other) => one.line - other.line);
  if (first === undefined) return [];
  const message = `${codeSpan(lockPath)} does not know ${names(drifts)} as it is asked for here, so a clean installation fails or takes something else. Make the lock file anew and commit it with this change.`;
  return [hitLine(first.line, { score: 7, message })];
}

function names(all: readonly { readonly name: string }[]): string {
  return listed(all.map(({ name }) => codeSpan(name.slice(0, 100))));
}

/** The nearest: beside the manifest, or above it where several packages share one. */
async function findLock(
  file: ChangedFile,
  change: RuleContext,
  lockNames: readonly string[],
): Promise<{ readonly path: string; readonly text: string; readonly folder: string } | null> {
  const home = folderOf(file.path);
  for (let folder = home; ; folder = folderOf(folder)) {
    for (const name of lockNames) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const text = await change.readText("new", path);
      if (text !== null) return { path, text, folder: home.slice(folder === "" ? 0 : folder.length + 1) };
    }
    if (folder === "") return null;
  }
}

function cargoDependencies(file: ChangedFile): readonly { readonly name: string; readonly line: number }[] {
  let section = "";
  return file.lines.flatMap((line) => {
    const text = line.text.trim();
    section = /^\[+(?<name>[^\]]+)\]+/.exec(text)?.groups?.["name"] ?? section;
    const name = line.isAdded && isDependencies(section) ? entryName(text) : null;
    return name === null ? [] : [{ name, line: line.number }];
  });
}

function isInCargoLock(lock: string, name: string): boolean {
  return lock.includes(`\nname = "${name}"\n`) || lock.includes(`\nname = "${name}"\r\n`);
}

/** `[workspace.dependencies]` only offers versions: an unused one is not locked. */
function isDependencies(section: string): boolean {
  return /(?:^|\.)(?:dev-|build-)?dependencies$/.test(section) && !section.startsWith("workspace.");
}

/** A dependency may be called otherwise than its package; an optional one is locked as well. */
function entryName(text: string): string | null {
  const renamed = /\bpackage\s*=\s*"(?<name>[\w-]+)"/.exec(text)?.groups?.["name"];
  return renamed ?? /^"?(?<name>[\w-]+)"?(?:\.\w+)?\s*=/.exec(text)?.groups?.["name"] ?? null;
}

interface GoRequirement {
  readonly name: string;
  readonly version: string;
  readonly line: number;
}

/** New or in another version. A replaced module is locked as the other one. */
function goRequirements(file: ChangedFile): readonly GoRequirement[] {
  const replaced = new Set(
    file.lines.flatMap(
      ({ text }) => /^\s*(?:replace\s+)?(?<name>\S+)(?:\s+v\S+)?\s+=>/.exec(text)?.groups?.["name"] ?? [],
    ),
  );
  let block = "";
  return file.lines.flatMap(({ text, isAdded, number }) => {
    block = /^\s*\)/.test(text) ? "" : (/^\s*(?<word>\w+)\s*\(/.exec(text)?.groups?.["word"] ?? block);
    const shape =
      block === "require" ? /^\s*(?<name>\S+)\s+(?<version>v\d\S*)/ : /^\s*require\s+(?<name>\S+)\s+(?<version>v\d\S*)/;
    const { name, version } = (isAdded ? shape.exec(text)?.groups : undefined) ?? {};
    if (name === undefined || version === undefined || replaced.has(name)) return [];
    return [{ name, version, line: number }];
  });
}

function isInGoSum(sum: string, { name, version }: GoRequirement): boolean {
  return sum.includes(`${name} ${version}/go.mod `) || sum.includes(`${name} ${version} `);
}
