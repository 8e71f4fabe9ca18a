import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { type Caller, callGraphql, callRestRaw, errorOf } from "#forges/github/github-call.ts";
import { malformedResponse, messageOf } from "#forges/github/github-error.ts";
import { atPull, nameParams, pullParams } from "#forges/github/github-paths.ts";
import { autoMergeMutation, enqueueMutation, handOverQuery } from "#forges/github/github-queries.ts";
import { fetchRestRepository, type RestRepository } from "#forges/github/github-repository.ts";
import { type Forge, ForgeError, type MergeOutcome } from "#ports/forge.ts";

const Merged = z.object({ sha: HeadSha });

type Method = MergeTried["method"];

export async function mergePull(
  caller: Caller,
  merging: "direct" | "forge",
  asked: Parameters<Forge["merge"]>[0],
): Promise<MergeOutcome> {
  const request: MergeRequest = { ...asked, since: caller.clock.now() };
  const { pull, since } = request;
  const { name, id } = pull.repository;
  const methods = methodsOf(await fetchRestRepository(caller, { name, id, manner: "look", rights: "change", since }));
  if (merging === "direct") return (await mergeDirectly(caller, request, methods)).outcome;
  return await delegateMerge(caller, request, () => mergeDirectly(caller, request, methods));
}

/** By the first method that the branch allows: its rules may forbid what the repository allows, and show only on trying. */
async function mergeDirectly(caller: Caller, request: MergeRequest, methods: readonly Method[]): Promise<MergeTried> {
  const [method = "merge", ...others] = methods;
  const outcome = await mergeBy(caller, request, method);
  const isOfMethod = outcome.kind === "not_now" && methodWords.test(outcome.why);
  return isOfMethod && others.length > 0 ? await mergeDirectly(caller, request, others) : { outcome, method };
}

/** "Merge commits are not allowed on this repository", "This branch must not contain merge commits" and their like. */
const methodWords =
  /(merge commits|(squash|rebase) merges|merge method)\b.*\bnot allowed|must not contain merge commits/i;

/** GitHub answers 409 where the head is another. */
async function mergeBy(caller: Caller, { pull, head, since }: MergeRequest, method: Method): Promise<MergeOutcome> {
  const asked = {
    ...atPull(pull),
    since,
    name: "merge",
    manner: "write",
    rights: "change",
    method: "PUT",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/merge",
  } as const;
  const params = { ...pullParams(pull), sha: head, merge_method: method };
  const answer = await callRestRaw(caller, { ...asked, params });
  if (answer.kind === "answered" && answer.status === 409) return { kind: "head_moved" };
  if (answer.kind === "answered" && answer.status === 405) return { kind: "not_now", why: messageOf(answer.data) };
  if (!isSuccess(answer)) throw errorOf(asked, answer);
  const merged = Merged.safeParse(answer.data);
  if (!merged.success) throw malformedResponse(`${asked.where}: merge`, true, merged.error);
  return { kind: "merged", commit: merged.data.sha };
}

/** A merge commit keeps what was approved; then the repository's next best. What is not told may be allowed. */
function methodsOf(repository: RestRepository): readonly Method[] {
  const allowed: readonly (readonly [Method, boolean | undefined])[] = [
    ["merge", repository.allow_merge_commit],
    ["squash", repository.allow_squash_merge],
    ["rebase", repository.allow_rebase_merge],
  ];
  return allowed.filter(([, isAllowed]) => isAllowed !== false).map(([method]) => method);
}

/** All calls for one merge have to end within the time of one write. */
interface MergeRequest extends AskedMerge {
  readonly since: Instant;
}

type AskedMerge = Parameters<Forge["merge"]>[0];

const HandOverAnswer = z.object({
  repository: z
    .object({
      autoMergeAllowed: z.boolean(),
      pullRequest: z
        .object({
          id: z.string().min(1),
          state: z.string(),
          headRefOid: z.string(),
          mergeable: z.string(),
          isInMergeQueue: z.boolean(),
          isMergeQueueEnabled: z.boolean(),
          autoMergeRequest: z.object({ enabledAt: z.string().nullable() }).nullable(),
        })
        .nullable(),
    })
    .nullable(),
});

interface MergeTried {
  readonly outcome: MergeOutcome;
  readonly method: "merge" | "squash" | "rebase";
}

/**
 * The base branch's queue, else at once; auto-merge if too early. A queue drops a pull whose head moves, auto-merge goes
 * on: hence only if the operator asked for it.
 */
async function delegateMerge(
  caller: Caller,
  request: MergeRequest,
  tryDirectly: () => Promise<MergeTried>,
): Promise<MergeOutcome> {
  const { head, isHandedOver = false } = request;
  const { pull, mayAutoMerge } = await look(caller, request);
  if (pull.headRefOid !== head) return { kind: "head_moved" };
  if (pull.state !== "OPEN") return { kind: "not_now", why: "it is not open any more" };
  if (pull.isInMergeQueue) return { kind: "handed_over", to: "queue" };
  if (pull.autoMergeRequest !== null) return { kind: "handed_over", to: "auto_merge" };
  if (isHandedOver) return { kind: "handed_back" };
  if (pull.isMergeQueueEnabled) return await ask(caller, request, { to: "queue", variables: { id: pull.id, head } });
  const { outcome, method } = await tryDirectly();
  // Only another head can end a conflict, and auto-merge would take it unseen.
  const isConflicting = pull.mergeable === "CONFLICTING";
  if (outcome.kind !== "not_now" || !mayAutoMerge || isConflicting) return outcome;
  const variables = { id: pull.id, head, method: method.toUpperCase() };
  return await ask(caller, request, { to: "auto_merge", variables });
}

async function look(caller: Caller, { pull, since }: MergeRequest) {
  const { owner, repo } = nameParams(pull.repository.name);
  const { body } = await callGraphql(caller, {
    ...atPull(pull),
    since,
    name: "look for a queue",
    manner: "look",
    rights: "look",
    query: handOverQuery,
    variables: { owner, name: repo, number: pull.number },
    shape: HandOverAnswer,
  });
  const found = body.repository?.pullRequest;
  if (found !== null && found !== undefined) {
    return { pull: found, mayAutoMerge: body.repository?.autoMergeAllowed === true };
  }
  const message = `github ${pull.repository.name}#${pull.number}: merge: there is no such pull`;
  throw new ForgeError("not_found", message, { isApplied: "no" });
}

interface Wish {
  readonly to: "queue" | "auto_merge";
  readonly variables: Readonly<Record<string, string>>;
}

/** A pull that is not ready, or just became ready for the direct way, is refused: another look decides anew. */
async function ask(caller: Caller, { pull, since }: MergeRequest, { to, variables }: Wish): Promise<MergeOutcome> {
  const asked = { ...atPull(pull), since, manner: "write", rights: "change", shape: z.unknown() } as const;
  const isQueue = to === "queue";
  try {
    await callGraphql(caller, {
      ...asked,
      name: isQueue ? "enqueue" : "enable auto-merge",
      query: isQueue ? enqueueMutation : autoMergeMutation,
      variables,
    });
  } catch (error) {
    if (!(error instanceof ForgeError) || error.kind !== "refused") throw error;
    return { kind: "not_now", why: error.message };
  }
  return { kind: "handed_over", to };
}
