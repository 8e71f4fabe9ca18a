import { z } from "zod";
import type { Instant } from "#core/model/instant.ts";
import { type Caller, callGraphql } from "#forges/github/github-call.ts";
import { atPull, nameParams } from "#forges/github/github-paths.ts";
import { autoMergeMutation, enqueueMutation, handOverQuery } from "#forges/github/github-queries.ts";
import { type Forge, ForgeError, type MergeOutcome } from "#ports/forge.ts";

/** All calls for one merge have to end within the time of one write. */
export interface MergeRequest extends AskedMerge {
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

export interface MergeTried {
  readonly outcome: MergeOutcome;
  readonly method: "merge" | "squash" | "rebase";
}

/**
 * The base branch's queue, else at once; auto-merge if too early. A queue drops a pull whose head moves, auto-merge goes
 * on: hence only if the operator asked for it.
 */
export async function delegateMerge(
  caller: Caller,
  request: MergeRequest,
  mergeDirectly: () => Promise<MergeTried>,
): Promise<MergeOutcome> {
  const { head, isHandedOver = false } = request;
  const { pull, mayAutoMerge } = await look(caller, request);
  if (pull.headRefOid !== head) return { kind: "head_moved" };
  if (pull.state !== "OPEN") return { kind: "not_now", why: "it is not open any more" };
  if (pull.isInMergeQueue) return { kind: "handed_over", to: "queue" };
  if (pull.autoMergeRequest !== null) return { kind: "handed_over", to: "auto_merge" };
  if (isHandedOver) return { kind: "handed_back" };
  if (pull.isMergeQueueEnabled) return await ask(caller, request, { to: "queue", variables: { id: pull.id, head } });
  const { outcome, method } = await mergeDirectly();
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
