import { parseDiff } from "#core/diff/diff.ts";
import type { HeadSha, PatchId } from "#core/model/ids.ts";
import { limits } from "#core/model/limits.ts";
import type { Records } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import type { PullSeen } from "#ports/forge.ts";
import { GitError, type Mirror } from "#ports/git.ts";
import type { Parts } from "#ports/parts.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** What git tells of the change that a pull proposes. */
export interface Change {
  /** Null where it could not be found out: then no approval is carried over. */
  readonly patch: PatchId | null;
  readonly changedPaths: readonly string[];
  readonly codeOwners: string | null;
}

type Needed = Pick<Parts, "instance" | "forge" | "git" | "log">;

interface Asked {
  readonly ref: PullRef;
  readonly pullSeen: PullSeen;
  readonly records: Records;
  readonly rules: Rules;
}

const diffBytesMax = 20_000_000;
const codeOwnersBytesMax = 3_000_000;
/** Where the forges look for it, in their order. */
const codeOwnersPaths = [
  ".github/CODEOWNERS",
  ".gitea/CODEOWNERS",
  ".forgejo/CODEOWNERS",
  "CODEOWNERS",
  "docs/CODEOWNERS",
];

/** Git is asked only for what is not known: the patch of a head never changes, and code owners are seldom required. */
export async function readChange(parts: Needed, asked: Asked): Promise<Change> {
  const { pullSeen, records, rules } = asked;
  const { head, base } = pullSeen.pull;
  const known = records.heads.findLast((one) => one.sha === head.sha && one.baseBranch === base.branch)?.patch ?? null;
  const isClosed = pullSeen.pull.state !== "open";
  const nothing: Change = { patch: known, changedPaths: [], codeOwners: null };
  if (isClosed || (known !== null && !rules.approval.requiresCodeOwners)) return nothing;
  try {
    const compared = await openComparison(parts, asked.ref, pullSeen);
    if (compared === undefined) return nothing;
    const patch = known ?? (await compared.mirror.patchOf(compared));
    if (!rules.approval.requiresCodeOwners) return { ...nothing, patch };
    return { patch, ...(await readOwners(compared)) };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    parts.log.warn({ pull: asked.ref.number, kind: error.kind }, "git could not tell the change");
    return nothing;
  }
}

export interface Comparing {
  readonly mirror: Mirror;
  readonly base: HeadSha;
  readonly head: HeadSha;
}

/** The repository's mirror with both ends of the pull in it; undefined where the head seen is not there (any more). */
export async function openComparison(
  parts: Pick<Parts, "instance" | "forge" | "git">,
  ref: PullRef,
  seen: Pick<PullSeen, "headRef" | "pull">,
): Promise<Comparing | undefined> {
  const { repository } = ref;
  const remote = await parts.forge.fetchRemote(repository, "read");
  const key = mirrorKey(parts.instance, repository.id);
  const baseRef = `refs/heads/${seen.pull.base.branch}`;
  const mirror = (await parts.git.findMirror(key)) ?? (await parts.git.ensureMirror({ key, remote }));
  const [base] = await mirror.fetchRefs({ remote, refs: [baseRef, seen.headRef] });
  const isThere = (await mirror.findTree(seen.pull.head.sha)) !== undefined;
  if (base?.commit === undefined || base.commit === null || !isThere) return undefined;
  return { mirror, base: base.commit, head: seen.pull.head.sha };
}

function mirrorKey(instance: string, repository: string): string {
  return `${instance}/${repository}`;
}

async function readOwners({ mirror, base, head }: Comparing): Promise<Omit<Change, "patch">> {
  const read = await mirror.diff({ base, head, bytesMax: diffBytesMax });
  const parsed = read.kind === "diff" ? parseDiff(read.bytes) : undefined;
  const files = parsed?.kind === "diff" ? parsed.diff.files : [];
  const paths = files
    .flatMap(({ oldPath, newPath }) => [oldPath?.text, newPath?.text])
    .filter((path) => path !== undefined);
  for (const path of codeOwnersPaths) {
    const file = await mirror.readFile({ commit: base, path, bytesMax: codeOwnersBytesMax });
    if (file.kind !== "file") continue;
    const codeOwners = new TextDecoder().decode(file.bytes);
    return { changedPaths: [...new Set(paths)].slice(0, limits.changedPathsMax), codeOwners };
  }
  return { changedPaths: [...new Set(paths)].slice(0, limits.changedPathsMax), codeOwners: null };
}
