import { matchesPath, type PathPattern } from "#core/files/path-pattern.ts";
import { type BytePath, diffPathOf, foldersAbove, inFolder } from "#git/byte-path.ts";
import type { FolderItem, FolderSource, Tree, TreeFile } from "#git/folder-source.ts";
import { compilePattern, type IgnorePattern } from "#git/ignore-pattern.ts";
import { type ObjectFormat, objectId } from "#git/object-id.ts";
import {
  type Cancellable,
  GitError,
  type ImportLimits,
  type ImportProblem,
  type ImportProblemWhy,
} from "#ports/git.ts";

/** A longer file is passed over: its rules would cost more than they spare. */
const ignoreBytesMax = 64 * 1024;

export interface ScanRequest extends Cancellable {
  readonly source: FolderSource;
  readonly base: Tree;
  readonly format: ObjectFormat;
  readonly limits: ImportLimits;
  readonly keptPaths: readonly PathPattern[];
}

export interface Scan {
  readonly files: Tree;
  readonly contents: ReadonlyMap<BytePath, Uint8Array>;
  readonly bareFolders: ReadonlySet<BytePath>;
  readonly problems: readonly ImportProblem[];
  readonly ignoredCount: number;
  /** False where something could not be looked at: then what is missing says nothing. */
  readonly isWhole: boolean;
}

interface Walk extends ScanRequest {
  readonly files: Map<BytePath, TreeFile>;
  readonly contents: Map<BytePath, Uint8Array>;
  readonly bareFolders: Set<BytePath>;
  readonly problems: ImportProblem[];
  readonly baseFolders: ReadonlySet<BytePath>;
  isWhole: boolean;
  ignoredCount: number;
  entryCount: number;
  changedBytes: number;
}

interface Visit {
  readonly folder: BytePath;
  readonly rules: readonly IgnoreRules[];
  readonly onlyTracked: boolean;
}

const problemsMax = 100;
const itemMode = { file: "100644", executable: "100755", link: "120000" } as const;

/** As git would make a tree of it. Ends at a limit of the whole. */
export async function scanFolder(request: ScanRequest): Promise<Scan> {
  const walk: Walk = {
    ...request,
    files: new Map(),
    contents: new Map(),
    bareFolders: new Set(),
    problems: [],
    baseFolders: new Set([...request.base.keys()].flatMap(foldersAbove)),
    isWhole: true,
    ignoredCount: 0,
    entryCount: 0,
    changedBytes: 0,
  };
  const waiting: Visit[] = [{ folder: "", rules: [], onlyTracked: false }];
  for (let visit = waiting.pop(); visit !== undefined && !isOver(walk); visit = waiting.pop()) {
    if (request.signal?.aborted === true) throw new GitError("cancelled", "the import was cancelled");
    waiting.push(...(await visitFolder(walk, visit)));
  }
  return { ...walk, isWhole: walk.isWhole && !isOver(walk) };
}

function isOver(walk: Walk): boolean {
  return (
    walk.entryCount > walk.limits.entriesMax ||
    walk.changedBytes > walk.limits.changedBytesMax ||
    walk.problems.length >= problemsMax
  );
}

function report(walk: Walk, why: ImportProblemWhy, path: BytePath): void {
  walk.problems.push({ why, path: diffPathOf(path) });
}

async function visitFolder(walk: Walk, visit: Visit): Promise<readonly Visit[]> {
  const items = await walk.source.list(visit.folder, walk.limits.entriesMax);
  if (items === undefined) {
    walk.isWhole = false;
    report(walk, "unreadable", visit.folder);
    return [];
  }
  walk.entryCount += items.length;
  if (walk.entryCount > walk.limits.entriesMax) {
    report(walk, "entriesMax", visit.folder);
    return [];
  }
  const isRoot = visit.folder === "";
  if (!isRoot && items.some(({ name }) => name.toLowerCase() === ".git")) {
    report(walk, "nested_repository", visit.folder);
    return [];
  }
  if (looksBare(items)) walk.bareFolders.add(visit.folder);
  const inside = { ...visit, rules: await addRules(walk, visit, items) };
  const folders: Visit[] = [];
  for (const item of items) {
    if (isRoot && item.name === ".git") continue;
    if (isOver(walk)) break;
    const below = await takeItem(walk, inside, item);
    if (below !== undefined) folders.push(below);
  }
  return folders;
}

/** By these three names git takes a folder for a git directory, with a configuration that may run things. */
function looksBare(items: readonly FolderItem[]): boolean {
  const names = new Set(items.map(({ name }) => name.toLowerCase()));
  return names.has("head") && names.has("objects") && names.has("refs");
}

async function addRules(walk: Walk, visit: Visit, items: readonly FolderItem[]): Promise<readonly IgnoreRules[]> {
  const file = items.find(({ name, kind }) => name === ".gitignore" && kind === "file");
  if (file === undefined || visit.onlyTracked) return visit.rules;
  const content = await walk.source.read(inFolder(visit.folder, ".gitignore"), ignoreBytesMax);
  return content === undefined ? visit.rules : [...visit.rules, readIgnoreRules(visit.folder, content)];
}

async function takeItem(walk: Walk, visit: Visit, item: FolderItem): Promise<Visit | undefined> {
  const path = inFolder(visit.folder, item.name);
  const isFolder = item.kind === "folder";
  if (walk.keptPaths.some((pattern) => matchesPath(pattern, diffPathOf(path).text.split("/")))) return undefined;
  const base = walk.base.get(path);
  if (base?.mode === "160000") {
    await takeSubmodule(walk, path, { base, item });
    return undefined;
  }
  const isTracked = isFolder ? walk.baseFolders.has(path) : base !== undefined;
  const ignored = visit.onlyTracked || isIgnored(visit.rules, path, isFolder);
  if (ignored && !isTracked) {
    walk.ignoredCount += 1;
    return undefined;
  }
  if (isFolder) return { folder: path, rules: visit.rules, onlyTracked: ignored };
  if (item.kind === "special") report(walk, "special_file", path);
  else await takeFile(walk, path, item);
  return undefined;
}

/** The folder of a submodule is empty until it is filled. */
async function takeSubmodule(
  walk: Walk,
  path: BytePath,
  { base, item }: { readonly base: TreeFile; readonly item: FolderItem },
): Promise<void> {
  const items = item.kind === "folder" ? await walk.source.list(path, 1) : undefined;
  if (items?.length === 0) walk.files.set(path, base);
  else report(walk, "submodule_changed", path);
}

async function takeFile(walk: Walk, path: BytePath, item: FolderItem): Promise<void> {
  const base = walk.base.get(path);
  // A large file of the base may stay, so compare before judging.
  const bytesMax =
    item.bytes === base?.bytes ? Math.max(item.bytes, walk.limits.fileBytesMax) : walk.limits.fileBytesMax;
  if (item.kind === "file" && item.bytes > bytesMax) return report(walk, "fileBytesMax", path);
  const isLink = item.kind === "link";
  const content = await (isLink ? walk.source.readLink(path) : walk.source.read(path, bytesMax));
  if (content === undefined) return report(walk, "unreadable", path);
  const mode = isLink ? itemMode.link : itemMode[item.isExecutable ? "executable" : "file"];
  const file: TreeFile = { mode, id: objectId("blob", content, walk.format), bytes: content.length };
  walk.files.set(path, file);
  if (base?.id === file.id && base.mode === mode) return;
  if (item.kind === "file" && item.linkCount > 1) report(walk, "hard_link", path);
  if (content.length > walk.limits.fileBytesMax) report(walk, "fileBytesMax", path);
  walk.contents.set(path, content);
  walk.changedBytes += content.length;
  if (walk.changedBytes > walk.limits.changedBytesMax) report(walk, "changedBytesMax", path);
}

export interface IgnoreRules {
  readonly folder: BytePath;
  readonly rules: readonly IgnoreRule[];
}

interface IgnoreRule {
  readonly matches: IgnorePattern;
  readonly ignores: boolean;
  readonly onlyFolders: boolean;
  readonly isName: boolean;
}

export function readIgnoreRules(folder: BytePath, content: Uint8Array): IgnoreRules {
  const text = Buffer.from(content)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  return { folder, rules: text.split(/\r?\n/).flatMap((line) => readRule(line) ?? []) };
}

function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const ignores = !line.startsWith("!");
  const text = trimEnd(ignores ? line : line.slice(1));
  const onlyFolders = text.endsWith("/");
  const body = onlyFolders ? text.slice(0, -1) : text;
  if (body === "") return undefined;
  const isName = !body.includes("/");
  const matches = compilePattern(body.startsWith("/") ? body.slice(1) : body, { pathname: !isName });
  return { matches, ignores, onlyFolders, isName };
}

/** Spaces at the end do not count, unless a backslash precedes the last. */
function trimEnd(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === " ") continue;
    end = Math.min(at + 1, text.length);
  }
  return text.slice(0, end);
}

/** The nearest rule decides, the last of a file first. Do not ask about what lies in an ignored folder. */
export function isIgnored(stack: readonly IgnoreRules[], path: BytePath, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (const { folder, rules } of stack.toReversed()) {
    const below = folder === "" ? path : path.slice(folder.length + 1);
    const rule = rules.findLast((each) => (isFolder || !each.onlyFolders) && each.matches(each.isName ? name : below));
    if (rule !== undefined) return rule.ignores;
  }
  return false;
}
