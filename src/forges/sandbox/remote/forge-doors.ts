import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { instant } from "#core/model/instant.ts";
import { type Door, door, findDoor } from "#forges/sandbox/remote/door.ts";
import {
  type CallAnswer,
  ClaimAsked,
  CommentAsked,
  CommentEditAsked,
  DiscardAsked,
  DismissalAsked,
  GateAsked,
  LabelsAsked,
  MergeAsked,
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
} from "#forges/sandbox/remote/remote-shapes.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { Remote } from "#ports/git.ts";

export interface ForgeCall {
  readonly account: Account;
  readonly method: string;
  readonly asked: unknown;
  /** The name of the caller's gate, where it is not the usual one. */
  readonly gateName: string | undefined;
}

/** Makes one call of the port for a program that holds this account's token. */
export async function callForge(
  sandbox: Sandbox,
  { account, method, asked, gateName }: ForgeCall,
): Promise<CallAnswer> {
  const serve = findDoor(doors, method);
  const forge = sandbox.clientOf(account, clockOfSpans, gateName);
  try {
    const answer = (await serve(forge, asked)) ?? null;
    return { kind: "answer", answer, budget: forge.findBudget() };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const { kind, message, isApplied, retryAt } = error;
    return { kind: "error", error: { kind, message, isApplied, retryAfterMs: retryAt }, budget: forge.findBudget() };
  }
}

/** The forge names a span, and its client adds it to its clock. On one that stands at zero the sum is the span itself. */
const clockOfSpans: Clock = { now: () => instant(0), sleep: async () => undefined };

/** `findBudget` asks nobody: what it tells comes along with every answer. */
const doors: Readonly<Record<Exclude<keyof Forge, "findBudget">, Door<Forge>>> = {
  fetchIdentity: door(z.null(), (forge) => forge.fetchIdentity()),
  fetchRepository: door(NameAsked, (forge, name) => forge.fetchRepository(name)),
  fetchPull: door(PullShape, (forge, pull) => forge.fetchPull(pull)),
  fetchPermission: door(PermissionAsked, (forge, asked) => forge.fetchPermission(asked)),
  fetchOpenPulls: door(RepositoryShape, (forge, repository) => forge.fetchOpenPulls(repository)),
  // The sandbox has one credential for everything, so what it is for is not told on the way.
  fetchRemote: door(RepositoryShape, async (forge, repository) =>
    tellRemote(await forge.fetchRemote(repository, "push")),
  ),
  createComment: door(CommentAsked, (forge, asked) => forge.createComment(asked)),
  editComment: door(CommentEditAsked, (forge, asked) => forge.editComment(asked)),
  addReaction: door(ReactionAsked, (forge, asked) => forge.addReaction(asked)),
  claimPull: door(ClaimAsked, (forge, asked) => forge.claimPull(asked)),
  releasePull: door(ReleaseAsked, (forge, asked) => forge.releasePull(asked)),
  submitReview: door(ReviewAsked, (forge, asked) => forge.submitReview(asked)),
  editReview: door(ReviewEditAsked, (forge, asked) => forge.editReview(asked)),
  dismissReview: door(DismissalAsked, (forge, asked) => forge.dismissReview(asked)),
  discardPendingReview: door(DiscardAsked, (forge, asked) => forge.discardPendingReview(asked)),
  replyInThread: door(ReplyAsked, (forge, asked) => forge.replyInThread(asked)),
  resolveThread: door(ResolutionAsked, (forge, asked) => forge.resolveThread(asked)),
  setGate: door(GateAsked, (forge, { annotations, ...asked }) =>
    forge.setGate(annotations === undefined ? asked : { ...asked, annotations }),
  ),
  editLabels: door(LabelsAsked, (forge, asked) => forge.editLabels(asked)),
  requestReviews: door(ReviewersAsked, (forge, asked) => forge.requestReviews(asked)),
  merge: door(MergeAsked, (forge, asked) => forge.merge(asked)),
};

function tellRemote({ url, credential }: Remote): z.infer<typeof RemoteTold> {
  if (credential === null) return { url, credential };
  return { url, credential: { username: credential.username, secret: credential.reveal() } };
}
