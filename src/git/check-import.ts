import { compareText } from "#core/compare-text.ts";
import { matchesPath, type PathPattern, readPattern } from "#core/files/path-pattern.ts";
import { type BytePath, diffPathOf, foldersAbove, parentFolder } from "#git/byte-path.ts";
import type { Tree, TreeFile } from "#git/folder-source.ts";
import type { Scan } from "#git/scan-folder.ts";
import { isGitDirectoryName, isUnsafeName } from "#git/unsafe-name.ts";
import type { ImportedChange, ImportLimits, ImportProblem, ImportProblemWhy } from "#ports/git.ts";

const hopsMax = 40;

/** What the known forges and CI systems run, and who has to approve. */
const ciPatterns: readonly PathPattern[] = patterns([
  "/.github/workflows/",
  "/.github/actions/",
  "/.gitea/workflows/",
  "/.forgejo/workflows/",
  "/.circleci/",
  "/.buildkite/",
  "/.woodpecker/",
  "/.woodpecker.yml",
  "/.woodpecker.yaml",
  "/.drone.yml",
  "/.gitlab-ci.yml",
  "/.travis.yml",
  "/azure-pipelines.yml",
  "/bitbucket-pipelines.yml",
  "/appveyor.yml",
  "/jenkinsfile",
]);

const ownPatterns: readonly PathPattern[] = patterns([".gitmodules", "/.drover.yml", "/.drover.yaml"]);

interface Protection {
  readonly protectedPaths: readonly PathPattern[];
  readonly ciPaths: "protected" | "free";
}

/** In any case: some systems see no difference. */
function isProtected(path: string, { protectedPaths, ciPaths }: Protection): boolean {
  const segments = path.split("/");
  if (segments.some(isGitDirectoryName)) return true;
  const all = [...ownPatterns, ...(ciPaths === "protected" ? ciPatterns : []), ...protectedPaths];
  const folded = path.toLowerCase().split("/");
  return all.some((pattern) => matchesPath(pattern, segments) || matchesPath(pattern, folded));
}

function patterns(texts: readonly string[]): readonly PathPattern[] {
  return texts.flatMap((text) => {
    const read = readPattern(text);
    return read.kind === "pattern" ? [read.pattern] : [];
  });
}

export interface JudgeRequest extends Protection {
  readonly base: Tree;
  readonly scan: Scan;
  readonly limits: ImportLimits;
  readonly keptPaths: readonly PathPattern[];
  readonly baseLinks: ReadonlyMap<BytePath, string>;
}

export type ImportCheck =
  | { readonly kind: "accepted"; readonly changes: ReadonlyMap<BytePath, ImportedChange> }
  | { readonly kind: "refused"; readonly problems: readonly ImportProblem[] };

/** Unchanged content of the base is not judged. */
export function checkImport(request: JudgeRequest): ImportCheck {
  if (!request.scan.isWhole) return { kind: "refused", problems: request.scan.problems };
  const changes = findChanges(request);
  const problems = new Map<string, ImportProblem>();
  const report = (why: ImportProblemWhy, path: BytePath): void => {
    problems.set(`${path}\n${why}`, { why, path: diffPathOf(path) });
  };
  if (changes.size > request.limits.changesMax) report("changesMax", [...changes.keys()][0] ?? "");
  for (const [path, change] of changes) {
    for (const why of problemsOf(request, path, change)) report(why, path);
  }
  for (const path of findCollisions(request, changes)) report("case_collision", path);
  for (const path of findLooseLinks(request)) report("link_outside", path);
  const all = [...request.scan.problems, ...problems.values()];
  return all.length === 0 ? { kind: "accepted", changes } : { kind: "refused", problems: all.slice(0, problemsMax) };
}

const problemsMax = 100;

function findChanges({ base, scan, keptPaths }: JudgeRequest): ReadonlyMap<BytePath, ImportedChange> {
  const changes = new Map<BytePath, ImportedChange>();
  const paths = new Set([...base.keys(), ...scan.files.keys()]);
  for (const path of [...paths].sort(compareText)) {
    const [before, now] = [base.get(path), scan.files.get(path)];
    const change = changeOf(path, before, now);
    if (change !== undefined && !isKept(path, keptPaths)) changes.set(path, change);
  }
  return changes;
}

function isKept(path: BytePath, keptPaths: readonly PathPattern[]): boolean {
  if (keptPaths.length === 0) return false;
  const segments = diffPathOf(path).text.split("/");
  return keptPaths.some((pattern) => matchesPath(pattern, segments));
}

function changeOf(path: BytePath, before: TreeFile | undefined, now: TreeFile | undefined): ImportedChange | undefined {
  if (now === undefined) {
    // The folder of a submodule is empty: removing it changes nothing.
    if (before === undefined || before.mode === "160000") return undefined;
    return { kind: "deleted", path: diffPathOf(path), mode: before.mode, bytes: 0 };
  }
  const change = { path: diffPathOf(path), mode: now.mode, bytes: now.bytes };
  if (before === undefined) return { kind: "added", ...change };
  if (typeOf(before) !== typeOf(now)) return { kind: "retyped", ...change };
  if (before.id !== now.id) return { kind: "modified", ...change };
  return before.mode === now.mode ? undefined : { kind: "mode_changed", ...change };
}

function typeOf({ mode }: TreeFile): string {
  return mode.slice(0, 3);
}

function problemsOf(request: JudgeRequest, path: BytePath, change: ImportedChange): readonly ImportProblemWhy[] {
  const { base, scan, limits } = request;
  const problems: ImportProblemWhy[] = [];
  if (isProtected(change.path.text, request)) problems.push("protected_path");
  if (isInBareFolder(path, scan.bareFolders)) problems.push("nested_repository");
  if (change.kind === "deleted") return problems;
  if (foldersAbove(path).some((folder) => base.get(folder)?.mode === "160000")) problems.push("submodule_changed");
  if (isUnsafeName(change.path)) problems.push("odd_name");
  if (path.length > limits.pathBytesMax) problems.push("pathBytesMax");
  return problems;
}

/** The names that make a git directory of a folder, or do something in one. */
const bareNames = /^(?:head|config(?:\.worktree)?|objects|refs|hooks|info|packed-refs|commondir|worktrees|modules)$/i;

function isInBareFolder(path: BytePath, bareFolders: ReadonlySet<BytePath>): boolean {
  return ["", ...foldersAbove(path)].some((folder) => {
    const [name = ""] = (folder === "" ? path : path.slice(folder.length + 1)).split("/");
    return bareFolders.has(folder) && bareNames.test(name);
  });
}

/** Changed paths that equal another name of the tree, or lie in it, on systems that ignore case. */
function findCollisions(
  { base, scan }: JudgeRequest,
  changes: ReadonlyMap<BytePath, ImportedChange>,
): readonly BytePath[] {
  if (changes.size === 0) return [];
  const spellings = new Map<string, BytePath>();
  const ambiguous = new Set<string>();
  const result = new Set([...scan.files.keys(), ...[...base.keys()].filter((path) => !changes.has(path))]);
  for (const path of result) {
    for (const name of [...foldersAbove(path), path]) {
      const folded = fold(name);
      if ((spellings.get(folded) ?? name) !== name) ambiguous.add(folded);
      spellings.set(folded, name);
    }
  }
  if (ambiguous.size === 0) return [];
  const touched = [...changes].filter(([, change]) => change.kind !== "deleted").map(([path]) => path);
  return touched.filter((path) => [...foldersAbove(path), path].some((name) => ambiguous.has(fold(name))));
}

function fold(path: BytePath): string {
  return diffPathOf(path).text.normalize("NFKC").toLowerCase();
}

/** Links that lead outside only since this change, by themselves or by another link on their way. */
function findLooseLinks({ scan, baseLinks }: JudgeRequest): readonly BytePath[] {
  const links = new Map<BytePath, string>();
  for (const [path, file] of scan.files) {
    if (file.mode !== "120000") continue;
    const content = scan.contents.get(path);
    links.set(path, content === undefined ? (baseLinks.get(path) ?? "") : Buffer.from(content).toString("latin1"));
  }
  return [...links.keys()].filter((path) => {
    const isOld = baseLinks.get(path) === links.get(path) && leadsOutside(baseLinks, path);
    return !isOld && leadsOutside(links, path);
  });
}

/** Leaves the tree or enters a git directory. Followed as a file system does: two harmless links can make a bad one. */
export function leadsOutside(links: ReadonlyMap<BytePath, string>, path: BytePath): boolean {
  const at = parentFolder(path).split("/").filter(Boolean);
  const ahead = segmentsOf(links.get(path) ?? "");
  if (ahead === undefined) return true;
  for (let hops = 0; ahead.length > 0; ) {
    const segment = ahead.shift() ?? "";
    if (segment === "..") {
      if (at.pop() === undefined) return true;
    } else if (segment !== "" && segment !== ".") {
      if (isGitDirectoryName(segment)) return true;
      at.push(segment);
      const target = links.get(at.join("/"));
      if (target === undefined) continue;
      const more = segmentsOf(target);
      hops += 1;
      if (more === undefined || hops > hopsMax) return true;
      at.pop();
      ahead.unshift(...more);
    }
  }
  return false;
}

/** Undefined for a target that leaves by itself, here or on a system with drives and backslashes. */
function segmentsOf(target: string): string[] | undefined {
  if (target === "" || target.startsWith("/") || /\0|\\|^[A-Za-z]:/.test(target)) return undefined;
  return target.split("/");
}
