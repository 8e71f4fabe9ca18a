import { CommentId, ReviewId, ThreadId } from "#core/model/ids.ts";
import { claimSigns, type Forge } from "#ports/forge.ts";
import { ada, someRepository as repository, rita, sha } from "#testing/makers.ts";

const pull = { repository, number: 12 };
const comment = CommentId.parse("c1");
const review = ReviewId.parse("r1");
const thread = ThreadId.parse("t1");
const body = "Because of the parser.";

interface OneCall {
  readonly kind: "read" | "write";
  /** What reaches the forge. */
  readonly request: unknown;
  readonly make: (forge: Forge) => Promise<unknown>;
}

/** One call of each method that asks the forge: a new one in the port is missing here until it is paced. */
const byName: Readonly<Record<Exclude<keyof Forge, "findRateLimit">, OneCall>> = {
  fetchIdentity: { kind: "read", request: undefined, make: async (forge) => forge.fetchIdentity() },
  fetchRepository: call("read", repository.name, async (forge, request) => forge.fetchRepository(request)),
  fetchPull: call("read", pull, async (forge, request) => forge.fetchPull(request)),
  fetchPermission: call("read", { repository, account: ada }, async (forge, request) => forge.fetchPermission(request)),
  fetchOpenPulls: call("read", repository, async (forge, request) => forge.fetchOpenPulls(request)),
  fetchRemote: call("read", repository, async (forge, request) => forge.fetchRemote(request, "read")),
  createComment: call("write", { pull, body }, async (forge, request) => forge.createComment(request)),
  editComment: call("write", { pull, comment, body }, async (forge, request) => forge.editComment(request)),
  addReaction: call("write", { pull, comment, content: "eyes" as const }, async (forge, request) =>
    forge.addReaction(request),
  ),
  claimPull: call("write", { pull, sign: claimSigns[0] }, async (forge, request) => forge.claimPull(request)),
  releasePull: call("write", { pull, claim: "7", sign: claimSigns[0] }, async (forge, request) =>
    forge.releasePull(request),
  ),
  submitReview: call(
    "write",
    { pull, head: sha(1), event: "comment" as const, body, remarks: [] },
    async (forge, request) => forge.submitReview(request),
  ),
  editReview: call("write", { pull, review, body }, async (forge, request) => forge.editReview(request)),
  dismissReview: call("write", { pull, review, words: body }, async (forge, request) => forge.dismissReview(request)),
  discardPendingReview: call("write", { pull, review }, async (forge, request) => forge.discardPendingReview(request)),
  replyInThread: call("write", { pull, thread, body }, async (forge, request) => forge.replyInThread(request)),
  resolveThread: call("write", { pull, thread }, async (forge, request) => forge.resolveThread(request)),
  setGate: call("write", { pull, head: sha(1), state: "success" as const, words: body }, async (forge, request) =>
    forge.setGate(request),
  ),
  editLabels: call("write", { pull, add: ["bug"], remove: ["later"] }, async (forge, request) =>
    forge.editLabels(request),
  ),
  requestReviews: call("write", { pull, reviewers: [rita] }, async (forge, request) => forge.requestReviews(request)),
  merge: call("write", { pull, head: sha(1) }, async (forge, request) => forge.merge(request)),
};

export const everyCall = Object.entries(byName).map(([name, one]) => ({ name, ...one }));

export const someRead = byName.fetchPull.make;
export const someWrite = byName.createComment.make;

function call<Request>(
  kind: OneCall["kind"],
  request: Request,
  make: (forge: Forge, request: Request) => Promise<unknown>,
): OneCall {
  return { kind, request, make: async (forge) => make(forge, request) };
}
