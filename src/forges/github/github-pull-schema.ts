import { z } from "zod";
import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import {
  Actor,
  BaseNode,
  ContextNode,
  connection,
  EditNode,
  GithubId,
  LabelNode,
  PushNode,
  ReactionNode,
  RemarkNode,
  ReviewNode,
  ThreadNode,
  ThreadRemarkNode,
} from "#forges/github/github-schema.ts";

const Rollup = z.object({ contexts: connection(ContextNode) }).nullable();

const PullNode = z.object({
  id: z.string().min(1),
  number: z.number().int().positive(),
  title: Untrusted,
  body: Untrusted,
  author: Actor,
  createdAt: Instant,
  updatedAt: Instant,
  state: z.string(),
  isDraft: z.boolean(),
  mergeable: z.string(),
  headRefOid: HeadSha,
  headRefName: z.string().min(1),
  /** Null where the fork is gone. */
  headRepository: z.object({ nameWithOwner: z.string() }).nullable(),
  isCrossRepository: z.boolean(),
  baseRefName: z.string().min(1),
  labels: connection(LabelNode).nullable(),
  reviewRequests: connection(z.object({ requestedReviewer: z.unknown() })).nullable(),
  userContentEdits: connection(EditNode).nullable(),
  forcePushes: z.object({ nodes: z.array(PushNode.nullable()) }),
  baseChanges: z.object({ nodes: z.array(BaseNode.nullable()) }),
  comments: connection(RemarkNode),
  reviews: connection(ReviewNode).nullable(),
  reviewThreads: connection(ThreadNode),
  reactions: connection(ReactionNode),
  statusCheckRollup: Rollup,
});
export type PullNode = z.infer<typeof PullNode>;

export const PullAnswer = z.object({
  repository: z
    .object({ databaseId: GithubId, nameWithOwner: z.string(), pullRequest: PullNode.nullable() })
    .nullable(),
});

export const PullPageAnswer = z.object({
  node: z
    .object({
      headRefOid: HeadSha,
      labels: connection(LabelNode).nullish(),
      userContentEdits: connection(EditNode).nullish(),
      comments: connection(RemarkNode).optional(),
      reviews: connection(ReviewNode).nullish(),
      reviewThreads: connection(ThreadNode).optional(),
      reactions: connection(ReactionNode).optional(),
      statusCheckRollup: Rollup.optional(),
    })
    .nullable(),
});

export const ThreadPageAnswer = z.object({
  node: z.object({ comments: connection(ThreadRemarkNode) }).nullable(),
});
