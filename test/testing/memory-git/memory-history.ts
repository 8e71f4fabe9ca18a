import { compareText } from "#core/compare-text.ts";
import { type HeadSha, Untrusted } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { BytePath } from "#git/byte-path.ts";
import type { LogEntry } from "#ports/git.ts";
import type { MemoryCommit, MemoryObjects } from "#testing/memory-git/memory-hub.ts";

export function historyOf({ commits }: MemoryObjects, from: HeadSha): ReadonlySet<HeadSha> {
  const seen = new Set([from]);
  // A set hands out what is added while it is walked.
  for (const id of seen) for (const parent of commits.get(id)?.parents ?? []) seen.add(parent);
  return seen;
}

/** Common ancestors that are no ancestors of other common ancestors; the newest first. */
export function bestCommonAncestors(
  objects: MemoryObjects,
  { base, head }: { readonly base: HeadSha; readonly head: HeadSha },
): readonly HeadSha[] {
  const ofBase = historyOf(objects, base);
  const common = [...historyOf(objects, head)].filter((id) => ofBase.has(id));
  const surpassed = new Set<HeadSha>();
  for (const id of common) {
    if (surpassed.has(id)) continue;
    for (const older of historyOf(objects, id)) if (older !== id) surpassed.add(older);
  }
  return common.filter((id) => !surpassed.has(id)).sort((left, right) => byAge(objects, left, right));
}

function byAge({ commits }: MemoryObjects, left: HeadSha, right: HeadSha): number {
  return (commits.get(right)?.at ?? 0) - (commits.get(left)?.at ?? 0) || compareText(left, right);
}

/** The commits that changed a path, no child after its parents, else the newest first. */
export function logOfPath(objects: MemoryObjects, from: HeadSha, path: BytePath): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  for (const commit of inDateOrder(objects, from)) {
    const [parent, second] = commit.parents;
    if (second !== undefined || stateOf(objects, commit.id, path) === stateOf(objects, parent, path)) continue;
    entries.push({
      commit: commit.id,
      author: Untrusted.parse(commit.author),
      at: instant(commit.at - (commit.at % 1000)),
      subject: Untrusted.parse(subjectOf(commit.message)),
    });
  }
  return entries;
}

/** Everything at and below a path, as one text. */
function stateOf({ commits, trees }: MemoryObjects, id: HeadSha | undefined, path: BytePath): string {
  const commit = id === undefined ? undefined : commits.get(id);
  const tree = commit === undefined ? undefined : trees.get(commit.tree);
  const below = [...(tree ?? [])].filter(([name]) => name === path || name.startsWith(`${path}/`));
  return below
    .map(([name, file]) => `${name}\0${file.mode}\0${file.id}`)
    .sort(compareText)
    .join("\0");
}

/** The lines before the first empty one. */
function subjectOf(message: string): string {
  const [first = ""] = message.replace(/^\n+/, "").split(/\n[ \t]*\n/);
  return first.trim().replaceAll("\n", " ");
}

function inDateOrder(objects: MemoryObjects, from: HeadSha): readonly MemoryCommit[] {
  const history = historyOf(objects, from);
  const childCounts = new Map<HeadSha, number>();
  for (const id of history) {
    for (const parent of objects.commits.get(id)?.parents ?? []) {
      childCounts.set(parent, (childCounts.get(parent) ?? 0) + 1);
    }
  }
  const ordered: MemoryCommit[] = [];
  const ready = [from];
  while (ready.length > 0) {
    ready.sort((left, right) => byAge(objects, left, right));
    const commit = objects.commits.get(ready.shift() ?? from);
    if (commit === undefined) continue;
    ordered.push(commit);
    for (const parent of commit.parents) {
      const left = (childCounts.get(parent) ?? 0) - 1;
      childCounts.set(parent, left);
      if (left === 0) ready.push(parent);
    }
  }
  return ordered;
}
