import { codeOwnersBytesMax } from "#core/approval/code-owners.ts";
import { parseDiff } from "#core/diff/diff.ts";
import type { CodeOwnersSeen } from "#core/model/code-owners-seen.ts";
import type { HeadSha, PatchId } from "#core/model/ids.ts";
import { type LimitName, limits } from "#core/model/limits.ts";
import type { Records } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { FetchedPull } from "#ports/forge.ts";
import { GitError, type Mirror } from "#ports/git.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface ChangeFacts {
  /** Null: unknown, and no approval is carried over. */
  readonly patch: PatchId | null;
  readonly changedPaths: readonly string[];
  readonly codeOwners: CodeOwnersSeen;
  readonly limitsReached: readonly LimitName[];
}

type Needed = Pick<Dependencies, "instance" | "forge" | "git" | "log" | "codeOwnersFolders">;

const diffBytesMax = 20_000_000;
/** Where all forges look for it, after the folders of their own. */
const codeOwnersPaths = ["CODEOWNERS", "docs/CODEOWNERS"];

/** Asks git only for what is unknown: the patch of a head never changes, and code owners are seldom required. */
export async function fetchChangeFacts(
  parts: Needed,
  asked: { readonly ref: PullRef; readonly pullSeen: FetchedPull; readonly records: Records; readonly rules: Rules },
): Promise<ChangeFacts> {
  const { pullSeen, records, rules } = asked;
  const { head, base } = pullSeen.pull;
  const known = records.heads.findLast((one) => one.sha === head.sha && one.baseBranch === base.branch)?.patch ?? null;
  const isClosed = pullSeen.pull.state !== "open";
  const unasked: ChangeFacts = { patch: known, changedPaths: [], codeOwners: { kind: "not_asked" }, limitsReached: [] };
  const { requiresCodeOwners } = rules.approval;
  if (isClosed || (known !== null && !requiresCodeOwners)) return unasked;
  const unknown = (why: OwnersUnknown): ChangeFacts =>
    requiresCodeOwners ? { ...unasked, codeOwners: { kind: "unknown", why } } : unasked;
  try {
    const compared = await openComparison(parts, asked.ref, pullSeen);
    if (compared === undefined) return unknown("commit_missing");
    const patch = known ?? (await compared.mirror.patchOf(compared));
    return {
      ...unasked,
      patch,
      ...(requiresCodeOwners ? await readOwners(compared, parts.codeOwnersFolders ?? []) : {}),
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    parts.log.warn({ pull: asked.ref.number, kind: error.kind }, "git could not determine the change");
    return unknown(error.kind === "timeout" ? "git_timed_out" : "git_failed");
  }
}

type OwnersUnknown = Extract<CodeOwnersSeen, { readonly kind: "unknown" }>["why"];

export interface ComparedCommits {
  readonly mirror: Mirror;
  readonly base: HeadSha;
  readonly head: HeadSha;
}

export async function openComparison(
  dependencies: Pick<Dependencies, "instance" | "forge" | "git">,
  ref: PullRef,
  seen: Pick<FetchedPull, "headRef" | "pull">,
): Promise<ComparedCommits | undefined> {
  const { repository } = ref;
  const remote = await dependencies.forge.fetchRemote(repository, "read");
  const key = mirrorKey(dependencies.instance, repository.id);
  const baseRef = `refs/heads/${seen.pull.base.branch}`;
  const mirror = (await dependencies.git.findMirror(key)) ?? (await dependencies.git.ensureMirror({ key, remote }));
  const [base] = await mirror.fetchRefs({ remote, refs: [baseRef, seen.headRef] });
  const isThere = (await mirror.findTree(seen.pull.head.sha)) !== undefined;
  if (base?.commit === undefined || base.commit === null || !isThere) return undefined;
  return { mirror, base: base.commit, head: seen.pull.head.sha };
}

export function mirrorKey(instance: string, repository: string): string {
  return `${instance}/${repository}`;
}

type Owned = Partial<Omit<ChangeFacts, "patch">>;

async function readOwners(compared: ComparedCommits, folders: readonly string[]): Promise<Owned> {
  const codeOwners = await readCodeOwners(compared, folders);
  if (codeOwners.kind !== "file") return { codeOwners };
  const changed = await readChangedPaths(compared);
  if (typeof changed === "string") return { codeOwners: { kind: "unknown", why: changed } };
  // An owned file may be among what is beyond the cut.
  const limitsReached: readonly LimitName[] = changed.length > limits.changedPathsMax ? ["changedPathsMax"] : [];
  return { codeOwners, changedPaths: changed.slice(0, limits.changedPathsMax), limitsReached };
}

/** The first file counts even if it cannot be read: another one would name other owners. */
async function readCodeOwners({ mirror, base }: ComparedCommits, folders: readonly string[]): Promise<CodeOwnersSeen> {
  for (const path of [...folders.map((folder) => `${folder}/CODEOWNERS`), ...codeOwnersPaths]) {
    const read = await mirror.readFile({ commit: base, path, bytesMax: codeOwnersBytesMax });
    switch (read.kind) {
      case "file":
        return asText(read.bytes);
      case "too_large":
      case "link":
        return { kind: "unknown", why: read.kind };
      case "unknown_commit":
        return { kind: "unknown", why: "commit_missing" };
      // No forge takes these for a file of code owners.
      case "absent":
      case "folder":
      case "submodule":
        break;
      default:
        return never(read);
    }
  }
  return { kind: "none" };
}

/** In another encoding its rules would match nothing, and no path would have an owner. */
function asText(bytes: Uint8Array): CodeOwnersSeen {
  const text = bytes.includes(0) ? undefined : findText(bytes);
  return text === undefined ? { kind: "unknown", why: "not_text" } : { kind: "file", text };
}

function findText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function readChangedPaths({ mirror, base, head }: ComparedCommits): Promise<readonly string[] | OwnersUnknown> {
  const read = await mirror.diff({ base, head, bytesMax: diffBytesMax });
  if (read.kind === "over_limit") return "change_too_large";
  if (read.kind === "unknown_commit") return "commit_missing";
  if (read.kind === "unrelated") return "change_unreadable";
  const parsed = parseDiff(read.bytes);
  if (parsed.kind !== "diff") return parsed.kind === "over_limit" ? "change_too_large" : "change_unreadable";
  const paths = parsed.diff.files.flatMap(({ oldPath, newPath }) => [oldPath?.text, newPath?.text]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}
