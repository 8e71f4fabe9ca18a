import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { instant, instantMax } from "#core/model/instant.ts";
import { readPath } from "#git/byte-path.ts";
import type { HistoryContext, MirrorContext } from "#git/real-git-context.ts";
import { findCommits } from "#git/real-refs.ts";
import { failure, mustRun } from "#git/run-git.ts";
import { treeIdOf } from "#git/tree-id.ts";
import type {
  Ancestry,
  Cancellable,
  CommitLog,
  CommitPair,
  LogEntry,
  MergeBase,
  TreeId,
  UnknownCommit,
} from "#ports/git.ts";

export async function realAncestry(
  context: MirrorContext,
  { older, newer }: { readonly older: HeadSha; readonly newer: HeadSha },
): Promise<Ancestry> {
  if ((await findUnknown(context, [older, newer])) !== undefined) return "unknown";
  const run = { args: ["merge-base", "--is-ancestor", older, newer], gitDir: context.gitDir };
  const ran = await context.runGit(run);
  if (ran.code === 0) return "ancestor";
  if (ran.code === 1) return "not_ancestor";
  throw failure("failed", run, ran);
}

export async function realMergeBase(context: MirrorContext, { base, head }: CommitPair): Promise<MergeBase> {
  const unknown = await findUnknown(context, [base, head]);
  if (unknown !== undefined) return unknown;
  const run = { args: ["merge-base", "--all", base, head], gitDir: context.gitDir };
  const ran = await context.runGit(run);
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

export async function findUnknown(
  context: HistoryContext,
  commits: readonly HeadSha[],
): Promise<UnknownCommit | undefined> {
  const known = context.known.get(context.key) ?? new Set();
  const asked = [...new Set(commits)].filter((commit) => !known.has(commit)).map(checkedId);
  if (asked.length === 0) return undefined;
  const found = await findCommits(context, asked);
  const commit = asked.find((_, index) => found[index] === undefined);
  if (commit !== undefined) return { kind: "unknown_commit", commit };
  // Forgetting all now and then costs less than tracking their age.
  context.known.set(context.key, new Set(known.size > knownMax ? asked : [...known, ...asked]));
  return undefined;
}

const knownMax = 10_000;

/** The brand says that it is an id; a command line gets a second check. */
function checkedId(commit: HeadSha): HeadSha {
  return HeadSha.parse(commit);
}

export async function findRealTree(context: MirrorContext, commit: HeadSha): Promise<TreeId | undefined> {
  if ((await findUnknown(context, [commit])) !== undefined) return undefined;
  const { stdout } = await mustRun(context.runGit, {
    args: ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`],
    gitDir: context.gitDir,
  });
  return treeIdOf(stdout.toString().trim());
}

export async function readRealLog(
  context: HistoryContext,
  request: Cancellable & { readonly commit: HeadSha; readonly path: string; readonly entriesMax: number },
): Promise<CommitLog> {
  const unknown = await findUnknown(context, [request.commit]);
  if (unknown !== undefined) return unknown;
  if (readPath(request.path) === undefined) return { kind: "log", entries: [], isCut: false };
  const { stdout } = await mustRun(context.runGit, {
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
      // Names and subjects hold no line break and no NUL.
      "--format=tformat:%H%n%ct%n%an%n%s",
      "--end-of-options",
      request.commit,
      "--",
      request.path,
    ],
    gitDir: context.gitDir,
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
    // A commit may claim a time that no calendar has.
    at: instant(Math.min(Math.max(0, Number(seconds) * 1000 || 0), instantMax)),
    subject: Untrusted.parse(subject),
  };
}
