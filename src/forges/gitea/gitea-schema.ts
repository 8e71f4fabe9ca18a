import { z } from "zod";
import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";

/** Gitea's own accounts are below zero: -1 is a deleted account, -2 its Actions. */
export const GiteaId = z.int().transform((id) => String(id));

export const GiteaUser = z.object({ id: GiteaId, login: z.string().min(1) });
export type GiteaUser = z.infer<typeof GiteaUser>;

const AnyUser = GiteaUser.nullish().transform((user) => user ?? null);

/** Empty where Gitea does not tell the commit. */
const Commit = HeadSha.nullable().catch(null);

const Branch = z.object({
  /** The branch's name, also when it is gone; empty for a pull that was pushed without one. */
  label: z.string(),
  ref: z.string(),
  sha: z.string(),
  /** -1 where the fork is gone. */
  repo_id: z.int(),
});

/** Null stands for an empty list. */
export const GiteaPull = z.object({
  number: z.int().positive(),
  title: Untrusted,
  body: Untrusted.nullish().transform((body) => body ?? Untrusted.parse("")),
  user: AnyUser,
  state: z.string(),
  /** From 1.22 on. */
  draft: z.boolean().nullish(),
  merged: z.boolean(),
  merge_commit_sha: Commit,
  /** "No", "not yet" and "a draft" are all false. */
  mergeable: z.boolean().nullish(),
  comments: z.int().catch(0),
  review_comments: z.int().catch(0),
  labels: z
    .array(z.object({ name: z.string() }))
    .nullish()
    .transform((labels) => (labels ?? []).map(({ name }) => name)),
  base: Branch,
  head: Branch,
  created_at: Instant,
  updated_at: Instant,
});
export type GiteaPull = z.infer<typeof GiteaPull>;

/** The address of the comment that holds a review's text ends so. */
const bodyComment = /#issuecomment-(\d{1,15})$/;

export const GiteaReview = z.object({
  id: GiteaId,
  user: AnyUser,
  state: z.string(),
  /** As it was submitted, before later changes. */
  body: Untrusted.catch(Untrusted.parse("")),
  commit_id: Commit,
  dismissed: z.boolean().catch(false),
  comments_count: z.int().catch(0),
  /** When it was begun; one that was kept for a while was submitted later. */
  submitted_at: Instant.nullable().catch(null),
  /** The number of the comment with its text; always null from 1.27 on. */
  html_url: z
    .string()
    .catch("")
    .transform((url) => bodyComment.exec(url)?.[1] ?? null),
});
export type GiteaReview = z.infer<typeof GiteaReview>;

export const GiteaRemark = z.object({
  id: z.int().positive(),
  user: AnyUser,
  body: Untrusted,
  /** Null until the conversation is resolved; only its first remark has it. */
  resolver: z
    .unknown()
    .optional()
    .transform((user) => user !== null && user !== undefined),
  path: z.string().min(1),
  /** Lines of the file: one of the two is 0. */
  position: z.int().nonnegative().catch(0),
  original_position: z.int().nonnegative().catch(0),
  /** Up to the remark's line; empty where that was not in the diff. */
  diff_hunk: z.string().catch(""),
  created_at: Instant,
  updated_at: Instant,
});
export type GiteaRemark = z.infer<typeof GiteaRemark>;

/** Only the kinds that are read. */
export const TimelineEntry = z.object({
  id: GiteaId,
  type: z.enum(["comment", "review", "dismiss_review", "pull_push", "change_target_branch"]),
  user: AnyUser,
  body: Untrusted.nullish().transform((body) => body ?? Untrusted.parse("")),
  /** 0 for what belongs to no review. */
  review_id: GiteaId.catch("0"),
  new_ref: z.string().catch(""),
  created_at: Instant,
  updated_at: Instant,
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const GiteaComment = TimelineEntry.pick({
  id: true,
  user: true,
  body: true,
  created_at: true,
  updated_at: true,
});
export type GiteaComment = z.infer<typeof GiteaComment>;

export const GiteaReaction = z.object({ user: GiteaUser, content: z.string(), created_at: Instant });
export type GiteaReaction = z.infer<typeof GiteaReaction>;

/** The word is in `status`, not in `state` as where it was sent. */
export const GiteaStatus = z.object({
  context: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  creator: AnyUser,
  created_at: Instant.nullable().catch(null),
});
export type GiteaStatus = z.infer<typeof GiteaStatus>;

export const GiteaRepository = z.object({
  id: GiteaId,
  full_name: z.string().min(1),
  allow_merge_commits: z.boolean().catch(true),
  allow_rebase: z.boolean().catch(false),
  allow_rebase_explicit: z.boolean().catch(false),
  allow_squash_merge: z.boolean().catch(false),
  allow_fast_forward_only_merge: z.boolean().catch(false),
  default_merge_style: z.string().catch("merge"),
});
export type GiteaRepository = z.infer<typeof GiteaRepository>;
