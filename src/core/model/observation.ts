import { z } from "zod";
import { Account, PermissionOf, Team } from "#core/model/account.ts";
import { Capabilities } from "#core/model/capabilities.ts";
import { CodeOwnersSeen } from "#core/model/code-owners-seen.ts";
import { Check, Comment, Reaction, Review, Thread } from "#core/model/conversation.ts";
import type { Data } from "#core/model/data.ts";
import { CommentId, HeadSha, InstanceId, ReviewId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { limitNames } from "#core/model/limits.ts";
import { Pull } from "#core/model/pull.ts";
import { Records } from "#core/model/records.ts";
import { Rules } from "#core/model/rules.ts";

const GateSeen = z.strictObject({
  head: HeadSha,
  state: z.enum(["pending", "success", "failure", "neutral"]),
  words: z.string(),
});

export const BlockRefusal = z.strictObject({
  where: z.string().min(1),
  why: z.enum(["foreign_author", "malformed", "bad_mac", "stale_revision", "too_large", "too_many"]),
});
export type BlockRefusal = Data<typeof BlockRefusal>;

/** Everything that a decision may depend on. Lists need no order and may hold an element twice: derive cleans them. */
export const Observation = z.strictObject({
  /** On the forge's clock, taken before the head was read: what is newer may belong to another head. */
  observedAt: Instant,
  instance: InstanceId,
  version: z.string().min(1).optional(),
  /** The repository is polled as often as approvals want it: reactions bring a look by themselves. */
  isPolled: z.boolean().default(false),
  bot: Account,
  capabilities: Capabilities,
  rules: Rules,
  pull: Pull,
  comments: z.array(Comment).default(() => []),
  reviews: z.array(Review).default(() => []),
  threads: z.array(Thread).default(() => []),
  reactions: z.array(Reaction).default(() => []),
  checks: z.array(Check).default(() => []),
  permissions: z.array(PermissionOf).default(() => []),
  teams: z.array(Team).default(() => []),
  changedPaths: z.array(z.string()).default(() => []),
  codeOwners: CodeOwnersSeen.default(() => ({ kind: "not_asked" as const })),
  gate: GateSeen.nullable().default(null),
  managedComment: z.strictObject({ comment: CommentId, digest: z.string() }).nullable().default(null),
  records: Records.prefault(() => ({})),
  /** Reviews of the bot's account whose state blocks carry our signature. */
  signedReviews: z.array(ReviewId).default(() => []),
  refusedBlocks: z.array(BlockRefusal).default(() => []),
  limitsReached: z.array(z.enum(limitNames)).default(() => []),
});
export type Observation = Data<typeof Observation>;
