import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { type Caller, callRestRaw, errorOf } from "#forges/github/github-call.ts";
import { delegateMerge, type MergeRequest, type MergeTried } from "#forges/github/github-delegate-merge.ts";
import { malformedResponse, messageOf } from "#forges/github/github-error.ts";
import { atPull, pullParams } from "#forges/github/github-paths.ts";
import { fetchRestRepository, type RestRepository } from "#forges/github/github-repository.ts";
import type { Forge, MergeOutcome } from "#ports/forge.ts";

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
