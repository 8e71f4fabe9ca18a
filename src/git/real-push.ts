import type { HeadSha } from "#core/model/ids.ts";
import { type RemoteAccess, readRemote } from "#git/read-remote.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { findUnknown, realAncestry } from "#git/real-history.ts";
import { remoteName } from "#git/real-mirror.ts";
import { listRemoteRefs, withRemote } from "#git/real-remote-refs.ts";
import { readRef } from "#git/ref-name.ts";
import { GitError, type PushOutcome, type PushRequest } from "#ports/git.ts";

export async function pushReal(context: MirrorContext, request: PushRequest): Promise<PushOutcome> {
  const ref = readRef(request.ref);
  const access = readRemote(request.remote, context.protocols);
  if ((await findUnknown(context, [request.commit])) !== undefined) {
    throw new GitError("bad_request", "the mirror lacks the commit that is to be pushed");
  }
  const refusal = await findRefusal(context, request);
  if (refusal !== undefined) return refusal;
  const report = await send(context, access, request);
  return judge(report, request, await readBack(context, access, { ref, signal: request.signal }));
}

/** The lease makes git ignore fast-forwards, so look first. It stays true: the push needs the same old value. */
async function findRefusal(context: MirrorContext, request: PushRequest): Promise<PushOutcome | undefined> {
  if (request.manner === "rewrite" || request.expected === null) return undefined;
  const ancestry = await realAncestry(context, { older: request.expected, newer: request.commit });
  if (ancestry === "ancestor") return undefined;
  return { kind: "refused", why: ancestry === "unknown" ? "unknown_history" : "not_fast_forward" };
}

async function send(context: MirrorContext, access: RemoteAccess, request: PushRequest): Promise<PushReport> {
  const run = withRemote(access, {
    args: [
      "push",
      "--porcelain",
      "--no-verify",
      "--no-follow-tags",
      "--no-signed",
      "--recurse-submodules=no",
      // Without the sha git compares with its last fetch, by any caller.
      `--force-with-lease=${request.ref}:${request.expected ?? ""}`,
      "--end-of-options",
      remoteName,
      `${request.commit}:${request.ref}`,
    ],
    gitDir: context.gitDir,
    signal: request.signal,
  });
  try {
    const ran = await context.runGit(run);
    return readPushReport(ran.stdout.toString(), request.ref);
  } catch (error) {
    // The remote may have got everything.
    if (error instanceof GitError && error.kind === "timeout") return "none";
    throw error;
  }
}

type Seen = { readonly kind: "at"; readonly commit: HeadSha | null } | { readonly kind: "unseen" };

async function readBack(
  context: MirrorContext,
  access: RemoteAccess,
  { ref, signal }: { readonly ref: string; readonly signal: AbortSignal | undefined },
): Promise<Seen> {
  try {
    const refs = await listRemoteRefs(context, { access, refs: [ref], signal });
    return { kind: "at", commit: refs.get(ref) ?? null };
  } catch (error) {
    if (error instanceof GitError && error.kind !== "cancelled") return { kind: "unseen" };
    throw error;
  }
}

/** Only what was seen counts as pushed, only what the remote said as refused. */
function judge(report: PushReport, request: PushRequest, seen: Seen): PushOutcome {
  if (seen.kind === "unseen") return { kind: "unknown", why: "no_answer" };
  if (seen.commit === request.commit) return { kind: "pushed" };
  if (report === "none") return { kind: "unknown", why: "no_answer" };
  if (report === "done") return { kind: "unknown", why: "not_seen" };
  if (seen.commit !== request.expected) return { kind: "moved", to: seen.commit };
  return { kind: "refused", why: "remote_rejected" };
}

type PushReport = "done" | "rejected" | "none";

/** Of `push --porcelain`. The exit code cannot tell a refusal from a broken connection; the flag can, but for one. */
export function readPushReport(output: string, ref: string): PushReport {
  for (const line of output.split("\n")) {
    const [flag, names, summary = ""] = line.split("\t");
    if (names === undefined || !names.endsWith(`:${ref}`)) continue;
    if (flag !== "!") return "done";
    return summary.startsWith("[remote failure]") ? "none" : "rejected";
  }
  return "none";
}
