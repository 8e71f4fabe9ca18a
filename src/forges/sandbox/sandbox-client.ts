import type { Account } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import { reviewOfText } from "#core/model/review-text.ts";
import { type Endpoint, repositoryEndpoint, userEndpoint } from "#forges/sandbox/call-endpoint.ts";
import { createGitAccess, getPermission, getPull } from "#forges/sandbox/read-endpoints.ts";
import type { SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { type Caller, call, callDated, callRaw, errorOf } from "#forges/sandbox/sandbox-call.ts";
import { forgeError } from "#forges/sandbox/sandbox-error.ts";
import { fetchOpenPulls } from "#forges/sandbox/sandbox-fetch-open-pulls.ts";
import { fetchPull } from "#forges/sandbox/sandbox-fetch-pull.ts";
import { gateCheckRun, gateFormOf, gateStatus } from "#forges/sandbox/sandbox-gate.ts";
import { readAccount } from "#forges/sandbox/sandbox-map.ts";
import {
  discardPendingReview,
  dismissReview,
  editReview,
  fetchSandboxBodyComment,
  submitReview,
} from "#forges/sandbox/sandbox-reviews.ts";
import {
  createCheckRun,
  createComment,
  createReply,
  createStatus,
  editCommentEndpoint,
  editLabelsEndpoint,
  editReviewComment,
  mergeEndpoint,
  reactToComment,
  reactToPull,
  reactToReview,
  reactToReviewComment,
  requestReviewers,
  resolveThreadEndpoint,
  unreactToPull,
} from "#forges/sandbox/write-endpoints.ts";
import { type Forge, ForgeError, type MergeOutcome } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface SandboxClientContext {
  readonly caller: Caller;
  readonly manner: SandboxManner;
  readonly quirks: SandboxQuirks;
  readonly account: Account;
  readonly gateName: string;
}

export function createSandboxClient(parts: SandboxClientContext): Forge {
  const { caller, manner } = parts;
  return {
    async fetchIdentity() {
      const answer = await caller.api.getUser();
      if (answer.kind !== "success") {
        throw forgeError({ endpoint: userEndpoint, where: "user", failure: answer, clock: caller.clock });
      }
      return { bot: readAccount(answer.body), capabilities: sandboxCapabilities(parts) };
    },
    async fetchRepository(name) {
      const answer = await caller.api.getRepository(name);
      if (answer.kind === "success") return answer.body;
      throw forgeError({ endpoint: repositoryEndpoint, where: name, failure: answer, clock: caller.clock });
    },
    findRateLimit: () => caller.api.budget(),
    fetchPull: (pull) => fetchPull({ caller, manner, bot: parts.account, gateName: parts.gateName, pull }),
    async fetchPermission({ repository, account }) {
      const asked = { endpoint: getPermission, place: repository, params: account };
      const answer = await callRaw(caller, asked);
      if (answer.kind === "success") return answer.body;
      const error = errorOf(caller, asked, answer);
      // Not visible, or no such account: neither is a permission.
      if (error.kind === "forbidden" || error.kind === "not_found") return "undetermined";
      throw error;
    },
    fetchOpenPulls: (repository) => fetchOpenPulls({ caller, manner, repository }),
    fetchRemote: (repository) => call(caller, { endpoint: createGitAccess, place: repository, params: null }),
    ...commentWrites(parts),
    submitReview: (request) => submitReview(parts, request),
    editReview: (request) => editReview(parts, request),
    dismissReview: (request) => dismissReview(parts, request),
    discardPendingReview: (request) => discardPendingReview(parts, request),
    async replyInThread({ pull, ...reply }) {
      const made = await call(caller, {
        endpoint: createReply,
        place: pull,
        params: { number: pull.number, ...reply },
      });
      return made.id;
    },
    async resolveThread({ pull, thread }) {
      await call(caller, { endpoint: resolveThreadEndpoint, place: pull, params: { number: pull.number, thread } });
    },
    async setGate(request) {
      const place = request.pull;
      const { gateName, account } = parts;
      if (gateFormOf(manner, account) === "check_run") {
        await call(caller, { endpoint: createCheckRun, place, params: gateCheckRun(gateName, request) });
      } else await call(caller, { endpoint: createStatus, place, params: gateStatus(gateName, request) });
    },
    async editLabels({ pull, add, remove }) {
      await call(caller, { endpoint: editLabelsEndpoint, place: pull, params: { number: pull.number, add, remove } });
    },
    async requestReviews({ pull, reviewers }) {
      await call(caller, { endpoint: requestReviewers, place: pull, params: { number: pull.number, reviewers } });
    },
    merge: (request) => mergePull(parts, request),
  };
}

type CommentWrites = Pick<Forge, "createComment" | "editComment" | "addReaction" | "claimPull" | "releasePull">;

function commentWrites({ caller, manner }: SandboxClientContext): CommentWrites {
  return {
    async createComment({ pull, body }) {
      const made = await call(caller, { endpoint: createComment, place: pull, params: { number: pull.number, body } });
      return made.id;
    },
    async editComment({ pull, ...edit }) {
      const endpoints = manner === "github" ? [editCommentEndpoint, editReviewComment] : [editCommentEndpoint];
      await firstThatKnows(caller, { endpoints, place: pull, params: { number: pull.number, ...edit } });
    },
    async addReaction({ pull, ...reaction }) {
      const params = { number: pull.number, ...reaction };
      const review = reviewOfText(reaction.comment);
      if (review === undefined) {
        const endpoints = manner === "github" ? [reactToComment, reactToReviewComment] : [reactToComment];
        await firstThatKnows(caller, { endpoints, place: pull, params });
      } else if (manner === "github") await call(caller, { endpoint: reactToReview, place: pull, params });
      else {
        const comment = await fetchSandboxBodyComment(caller, pull, review);
        await call(caller, { endpoint: reactToComment, place: pull, params: { ...params, comment } });
      }
    },
    async claimPull({ pull, sign }) {
      const params = { number: pull.number, content: sign };
      const { body, date } = await callDated(caller, { endpoint: reactToPull, place: pull, params });
      const { outcome, createdAt } = body;
      const ageMs = Math.max(0, date - createdAt);
      return { kind: outcome === "added" ? "claimed" : "held", claim: String(createdAt), ageMs };
    },
    async releasePull({ pull, claim, sign }) {
      const params = { number: pull.number, content: sign, createdAt: manner === "github" ? claim : null };
      await call(caller, { endpoint: unreactToPull, place: pull, params });
    },
  };
}

/** GitHub has two addresses for comments, and an id does not tell which. "Not found" is a certain no, so try the other. */
async function firstThatKnows<Params, Body>(
  caller: Caller,
  asked: { readonly endpoints: readonly Endpoint<Params, Body>[]; readonly place: PullRef; readonly params: Params },
): Promise<void> {
  const { endpoints, place, params } = asked;
  for (const [index, endpoint] of endpoints.entries()) {
    const answer = await callRaw(caller, { endpoint, place, params });
    if (answer.kind === "success") return;
    const error = errorOf(caller, { endpoint, place }, answer);
    if (error.kind !== "not_found" || index === endpoints.length - 1) throw error;
  }
}

async function mergePull(
  { caller }: SandboxClientContext,
  { pull, head }: Parameters<Forge["merge"]>[0],
): Promise<MergeOutcome> {
  const asked = { endpoint: mergeEndpoint, place: pull, params: { number: pull.number, sha: head } };
  const answer = await callRaw(caller, asked);
  if (answer.kind === "refusal" && answer.status === 409) return { kind: "head_moved" };
  if (answer.kind === "refusal" && answer.status === 405) return { kind: "not_now", why: answer.message };
  if (answer.kind !== "success") throw errorOf(caller, asked, answer);
  return { kind: "merged", commit: answer.body.sha ?? (await fetchMergeCommit(caller, pull)) };
}

/** Gitea's success is empty. A lagging read knows of no merge yet; it has happened all the same. */
async function fetchMergeCommit(caller: Caller, pull: PullRef) {
  const asked = { endpoint: getPull, place: pull, params: { number: pull.number } };
  const answer = await callRaw(caller, asked);
  if (answer.kind === "success" && answer.body.merge_commit_sha !== null) return answer.body.merge_commit_sha;
  const { kind, retryAt } = answer.kind === "success" ? unseen : errorOf(caller, asked, answer);
  const message = `sandbox ${pull.repository.name}#${pull.number}: merged, but not to be seen yet`;
  throw new ForgeError(kind, message, { isApplied: "unknown", retryAt });
}

const unseen = { kind: "unavailable", retryAt: null } as const;

function sandboxCapabilities(parts: {
  readonly manner: SandboxManner;
  readonly quirks: SandboxQuirks;
  readonly account: Account;
}): Capabilities {
  return {
    mayEditReviewBodies: true,
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    mayApprove: true,
    mayResolveThreads: parts.quirks.resolvesThreads,
    mayReactToReviews: parts.quirks.reactsToReviews,
    tellsBodyEdits: !parts.quirks.hidesPushTimes,
    hasNeutralGate: gateFormOf(parts.manner, parts.account) === "check_run",
    hasReactionEvents: false,
  };
}
