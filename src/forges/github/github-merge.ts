import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import { askRest, type Caller, errorOf } from "#forges/github/github-call.ts";
import { isSuccess, malformed, messageOf } from "#forges/github/github-error.ts";
import { handOver } from "#forges/github/github-hand-over.ts";
import { atPull, pullParams } from "#forges/github/github-place.ts";
import { fetchRestRepository, type RestRepository } from "#forges/github/github-repository.ts";
import type { Forge, MergeOutcome } from "#ports/forge.ts";

const Merged = z.object({ sha: HeadSha });

type MergeRequest = Parameters<Forge["merge"]>[0];
type Method = "merge" | "squash" | "rebase";

export async function mergePull(
  caller: Caller,
  merging: "direct" | "forge",
  request: MergeRequest,
): Promise<MergeOutcome> {
  const { name, id } = request.pull.repository;
  const method = methodOf(await fetchRestRepository(caller, { name, id, manner: "look", rights: "change" }));
  if (merging === "direct") return await mergeDirectly(caller, request, method);
  return await handOver(caller, { ...request, method }, () => mergeDirectly(caller, request, method));
}

/** Merges this very commit; GitHub compares it with the head and answers 409 where it is another. */
async function mergeDirectly(caller: Caller, { pull, head }: MergeRequest, method: Method): Promise<MergeOutcome> {
  const asked = {
    ...atPull(pull),
    name: "merge",
    manner: "write",
    rights: "change",
    method: "PUT",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/merge",
  } as const;
  const params = { ...pullParams(pull), sha: head, merge_method: method };
  const answer = await askRest(caller, { ...asked, params });
  if (answer.kind === "answered" && answer.status === 409) return { kind: "head_moved" };
  if (answer.kind === "answered" && answer.status === 405) return { kind: "not_now", why: messageOf(answer.data) };
  if (!isSuccess(answer)) throw errorOf(asked, answer);
  const merged = Merged.safeParse(answer.data);
  if (!merged.success) throw malformed(`${asked.where}: merge`, true, merged.error);
  return { kind: "merged", commit: merged.data.sha };
}

/** A merge commit keeps what was approved as it is; where the repository has none, its own next best. */
function methodOf(repository: RestRepository): Method {
  if (repository.allow_merge_commit !== false) return "merge";
  return repository.allow_squash_merge === false ? "rebase" : "squash";
}
