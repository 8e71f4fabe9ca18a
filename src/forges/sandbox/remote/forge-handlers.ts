import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { instant } from "#core/model/instant.ts";
import { findRpcHandler, type RpcHandler, rpcHandler } from "#forges/sandbox/remote/rpc-handler.ts";
import {
  type CallAnswer,
  ClaimAsked,
  CommentAsked,
  CommentEditAsked,
  DiscardAsked,
  DismissalAsked,
  GateAsked,
  LabelsAsked,
  MergeParams,
  NameAsked,
  PermissionAsked,
  PullShape,
  ReactionAsked,
  ReleaseAsked,
  type RemoteTold,
  ReplyAsked,
  RepositoryShape,
  ResolutionAsked,
  ReviewAsked,
  ReviewEditAsked,
  ReviewersAsked,
} from "#forges/sandbox/remote/rpc-schema.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { Remote } from "#ports/git.ts";

export interface ForgeCall {
  readonly account: Account;
  readonly method: string;
  readonly asked: unknown;
  readonly gateName: string | undefined;
}

export async function callForge(
  sandbox: Sandbox,
  { account, method, asked, gateName }: ForgeCall,
): Promise<CallAnswer> {
  const serve = findRpcHandler(handlers, method);
  const forge = sandbox.clientOf(account, clockOfSpans, gateName);
  try {
    const answer = (await serve(forge, asked)) ?? null;
    return { kind: "answer", answer, budget: forge.findRateLimit() };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const { kind, message, isApplied, retryAt } = error;
    return { kind: "error", error: { kind, message, isApplied, retryAfterMs: retryAt }, budget: forge.findRateLimit() };
  }
}

/** The forge names a span, which its client adds to its clock: at zero the sum is the span. */
const clockOfSpans: Clock = { now: () => instant(0), sleep: async () => undefined };

/** `findRateLimit` makes no call: every response brings the limit along. */
const handlers: Readonly<Record<Exclude<keyof Forge, "findRateLimit">, RpcHandler<Forge>>> = {
  fetchIdentity: rpcHandler(z.null(), (forge) => forge.fetchIdentity()),
  fetchRepository: rpcHandler(NameAsked, (forge, name) => forge.fetchRepository(name)),
  fetchPull: rpcHandler(PullShape, (forge, pull) => forge.fetchPull(pull)),
  fetchPermission: rpcHandler(PermissionAsked, (forge, asked) => forge.fetchPermission(asked)),
  fetchOpenPulls: rpcHandler(RepositoryShape, (forge, repository) => forge.fetchOpenPulls(repository)),
  // The sandbox has one credential for everything.
  fetchRemote: rpcHandler(RepositoryShape, async (forge, repository) =>
    tellRemote(await forge.fetchRemote(repository, "push")),
  ),
  createComment: rpcHandler(CommentAsked, (forge, asked) => forge.createComment(asked)),
  editComment: rpcHandler(CommentEditAsked, (forge, asked) => forge.editComment(asked)),
  addReaction: rpcHandler(ReactionAsked, (forge, asked) => forge.addReaction(asked)),
  claimPull: rpcHandler(ClaimAsked, (forge, asked) => forge.claimPull(asked)),
  releasePull: rpcHandler(ReleaseAsked, (forge, asked) => forge.releasePull(asked)),
  submitReview: rpcHandler(ReviewAsked, (forge, asked) => forge.submitReview(asked)),
  editReview: rpcHandler(ReviewEditAsked, (forge, asked) => forge.editReview(asked)),
  dismissReview: rpcHandler(DismissalAsked, (forge, asked) => forge.dismissReview(asked)),
  discardPendingReview: rpcHandler(DiscardAsked, (forge, asked) => forge.discardPendingReview(asked)),
  replyInThread: rpcHandler(ReplyAsked, (forge, asked) => forge.replyInThread(asked)),
  resolveThread: rpcHandler(ResolutionAsked, (forge, asked) => forge.resolveThread(asked)),
  setGate: rpcHandler(GateAsked, (forge, { annotations, ...asked }) =>
    forge.setGate(annotations === undefined ? asked : { ...asked, annotations }),
  ),
  editLabels: rpcHandler(LabelsAsked, (forge, asked) => forge.editLabels(asked)),
  requestReviews: rpcHandler(ReviewersAsked, (forge, asked) => forge.requestReviews(asked)),
  merge: rpcHandler(MergeParams, (forge, asked) => forge.merge(asked)),
};

function tellRemote({ url, credential }: Remote): z.infer<typeof RemoteTold> {
  if (credential === null) return { url, credential };
  return { url, credential: { username: credential.username, secret: credential.reveal() } };
}
