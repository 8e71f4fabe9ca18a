import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { instant, instantMax } from "#core/model/instant.ts";
import { readPath } from "#git/byte-path.ts";
import type { HistoryPlace, MirrorPlace } from "#git/real-place.ts";
import { findCommits } from "#git/real-refs.ts";
import { failure, mustRun } from "#git/run-git.ts";
import { treeIdOf } from "#git/tree-id.ts";
import type { Ancestry, Call, Comparison, Log, LogEntry, MergeBase, TreeId, UnknownCommit } from "#ports/git.ts";

export async function realAncestry(
  place: MirrorPlace,
  { older, newer }: { readonly older: HeadSha; readonly newer: HeadSha },
): Promise<Ancestry> {
  if ((await findUnknown(place, [older, newer])) !== undefined) return "unknown";
  const run = { args: ["merge-base", "--is-ancestor", older, newer], gitDir: place.gitDir };
  const ran = await place.runGit(run);
  if (ran.code === 0) return "ancestor";
  if (ran.code === 1) return "not_ancestor";
  throw failure("failed", run, ran);
}

export async function realMergeBase(place: MirrorPlace, { base, head }: Comparison): Promise<MergeBase> {
  const unknown = await findUnknown(place, [base, head]);
  if (unknown !== undefined) return unknown;
  const run = { args: ["merge-base", "--all", base, head], gitDir: place.gitDir };
  const ran = await place.runGit(run);
  if (ran.code === 1) return { kind: "unrelated" };
  if (ran.code !== 0) throw failure("failed", run, ran);
  const all = ran.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => HeadSha.parse(line));
  const [commit] = all;
  return commit === undefined ? { kind: "unrelated" } : { kind: "found", commit, all };
}

/** The first of these commits that the mirror does not hold. */
export async function findUnknown(
  place: HistoryPlace,
  commits: readonly HeadSha[],
): Promise<UnknownCommit | undefined> {
  const known = place.known.get(place.key) ?? new Set();
  const asked = [...new Set(commits)].filter((commit) => !known.has(commit)).map(checkedId);
  if (asked.length === 0) return undefined;
  const found = await findCommits(place, asked);
  const commit = asked.find((_, index) => found[index] === undefined);
  if (commit !== undefined) return { kind: "unknown_commit", commit };
  // Forgetting them all now and then costs less than remembering which are old.
  place.known.set(place.key, new Set(known.size > knownMax ? asked : [...known, ...asked]));
  return undefined;
}

const knownMax = 10_000;

/** The brand says that it is an id; what goes into a command line is looked at once more. */
function checkedId(commit: HeadSha): HeadSha {
  return HeadSha.parse(commit);
}

export async function findRealTree(place: MirrorPlace, commit: HeadSha): Promise<TreeId | undefined> {
  if ((await findUnknown(place, [commit])) !== undefined) return undefined;
  const { stdout } = await mustRun(place.runGit, {
    args: ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`],
    gitDir: place.gitDir,
  });
  return treeIdOf(stdout.toString().trim());
}

export async function readRealLog(
  place: HistoryPlace,
  request: Call & { readonly commit: HeadSha; readonly path: string; readonly entriesMax: number },
): Promise<Log> {
  const unknown = await findUnknown(place, [request.commit]);
  if (unknown !== undefined) return unknown;
  if (readPath(request.path) === undefined) return { kind: "log", entries: [], isCut: false };
  const { stdout } = await mustRun(place.runGit, {
    args: [
      "log",
      "--no-merges",
      "--full-history",
      "--date-order",
      "--no-color",
      "--no-show-signature",
      "--no-notes",
      `--max-count=${request.entriesMax + 1}`,
      "-z",
      // A name or subject holds no line break and no NUL, so lines part them.
      "--format=tformat:%H%n%ct%n%an%n%s",
      "--end-of-options",
      request.commit,
      "--",
      request.path,
    ],
    gitDir: place.gitDir,
    signal: request.signal,
  });
  const entries = stdout.toString().split("\0").filter(Boolean).map(readLogEntry);
  return {
    kind: "log",
    entries: entries.slice(0, request.entriesMax),
    isCut: entries.length > request.entriesMax,
  };
}

function readLogEntry(text: string): LogEntry {
  const [commit, seconds, author = "", subject = ""] = text.split("\n");
  return {
    commit: HeadSha.parse(commit),
    author: Untrusted.parse(author),
    // A commit may claim any time, also one that no calendar has.
    at: instant(Math.min(Math.max(0, Number(seconds) * 1000 || 0), instantMax)),
    subject: Untrusted.parse(subject),
  };
}
