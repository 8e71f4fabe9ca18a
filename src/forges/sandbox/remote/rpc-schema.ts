import { z } from "zod";
import { Account } from "#core/model/account.ts";
import { Capabilities } from "#core/model/capabilities.ts";
import { Reaction } from "#core/model/conversation.ts";
import { CommentId, HeadSha, RepositoryId, ReviewId, ThreadId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { Observation } from "#core/model/observation.ts";
import { claimSigns } from "#ports/forge.ts";

/** It belongs to the program that calls, not to one call. */
export const gateNameHeader = "x-drover-gate";

export const RepositoryShape = z.strictObject({ id: RepositoryId, name: z.string().min(1) });
export const PullShape = z.strictObject({ repository: RepositoryShape, number: z.number().int() });

export const NameAsked = z.string().min(1);
export const PermissionAsked = z.strictObject({ repository: RepositoryShape, account: Account });
export const CommentAsked = z.strictObject({ pull: PullShape, body: z.string() });
export const CommentEditAsked = CommentAsked.extend({ comment: CommentId });
export const ReactionAsked = z.strictObject({
  pull: PullShape,
  comment: CommentId,
  content: Reaction.shape.content,
});
export const ClaimAsked = z.strictObject({ pull: PullShape, sign: z.enum(claimSigns) });
export const ReleaseAsked = ClaimAsked.extend({ claim: z.string() });
export const RemarkShape = z.strictObject({
  path: z.string(),
  side: z.enum(["old", "new"]),
  lines: z.strictObject({ first: z.number(), last: z.number() }),
  body: z.string(),
});
export const VerdictShape = z.enum(["approve", "request_changes", "comment"]);
export const ReviewAsked = z.strictObject({
  pull: PullShape,
  head: HeadSha,
  event: VerdictShape,
  body: z.string(),
  remarks: z.array(RemarkShape),
});
export const ReviewEditAsked = z.strictObject({ pull: PullShape, review: ReviewId, body: z.string() });
export const DismissalAsked = z.strictObject({ pull: PullShape, review: ReviewId, words: z.string() });
export const DiscardAsked = z.strictObject({ pull: PullShape, review: ReviewId });
export const ReplyAsked = z.strictObject({ pull: PullShape, thread: ThreadId, body: z.string() });
export const ResolutionAsked = z.strictObject({ pull: PullShape, thread: ThreadId });
export const GateAsked = z.strictObject({
  pull: PullShape,
  head: HeadSha,
  state: z.enum(["pending", "success", "failure", "neutral"]),
  words: z.string(),
  annotations: z
    .array(
      z.strictObject({
        path: z.string(),
        lines: z.strictObject({ first: z.number(), last: z.number() }),
        level: z.enum(["notice", "warning", "failure"]),
        words: z.string(),
      }),
    )
    .optional(),
});
export const LabelsAsked = z.strictObject({ pull: PullShape, add: z.array(z.string()), remove: z.array(z.string()) });
export const ReviewersAsked = z.strictObject({ pull: PullShape, reviewers: z.array(Account) });
export const MergeParams = z.strictObject({ pull: PullShape, head: HeadSha });

export const IdentityTold = z.strictObject({ bot: Account, capabilities: Capabilities });
export const PullTold = Observation.pick({
  observedAt: true,
  pull: true,
  comments: true,
  reviews: true,
  threads: true,
  reactions: true,
  checks: true,
  gate: true,
  limitsReached: true,
}).extend({ changedAt: Instant, headRef: z.string().startsWith("refs/") });
export const DigestsTold = z.array(z.strictObject({ pull: PullShape, digest: z.string() }));
/** The port keeps a secret behind a function, which JSON does not carry. */
export const RemoteTold = z.strictObject({
  url: z.string().min(1),
  credential: z.strictObject({ username: z.string(), secret: z.string() }).nullable(),
});
export const ClaimTold = z.strictObject({ kind: z.enum(["claimed", "held"]), claim: z.string(), ageMs: z.number() });
export const MergeTold = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("merged"), commit: HeadSha }),
  z.strictObject({ kind: z.literal("head_moved") }),
  z.strictObject({ kind: z.literal("handed_over"), to: z.enum(["queue", "auto_merge"]) }),
  z.strictObject({ kind: z.literal("handed_back") }),
  z.strictObject({ kind: z.literal("not_now"), why: z.string() }),
]);
export const NothingTold = z.null().transform((): undefined => undefined);

const Budget = z.strictObject({ limit: z.number(), left: z.number(), resetAt: Instant }).nullable();

const ForgeErrorTold = z.strictObject({
  kind: z.enum([
    "rate_limited",
    "not_found",
    "forbidden",
    "may_not_approve",
    "unauthorized",
    "conflict",
    "refused",
    "unavailable",
    "malformed",
  ]),
  message: z.string(),
  isApplied: z.enum(["no", "unknown"]),
  /** A span: the clocks of two machines differ. */
  retryAfterMs: z.number().nonnegative().nullable(),
});

export const CallAnswer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("answer"), answer: z.unknown(), budget: Budget }),
  z.strictObject({ kind: z.literal("error"), error: ForgeErrorTold, budget: Budget }),
]);
export type CallAnswer = z.infer<typeof CallAnswer>;
