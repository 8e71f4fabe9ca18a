import { z } from "zod";

/** A forge's ids are kept as text: GitHub's exceed 2^53 in places, and Gitea has none for reactions. */
export const InstanceId = z.string().min(1).brand<"InstanceId">();
export type InstanceId = z.infer<typeof InstanceId>;

export const RepositoryId = z.string().min(1).brand<"RepositoryId">();
export type RepositoryId = z.infer<typeof RepositoryId>;

export const AccountId = z.string().min(1).brand<"AccountId">();
export type AccountId = z.infer<typeof AccountId>;

/** Unique in one pull. Where a forge numbers two kinds of comments apart, its adapter puts a letter in front. */
export const CommentId = z.string().min(1).brand<"CommentId">();
export type CommentId = z.infer<typeof CommentId>;

export const ReviewId = z.string().min(1).brand<"ReviewId">();
export type ReviewId = z.infer<typeof ReviewId>;

export const ThreadId = z.string().min(1).brand<"ThreadId">();
export type ThreadId = z.infer<typeof ThreadId>;

export const SessionId = z.string().min(1).brand<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;

/** Rule + path + code fingerprint (core/review/finding-identity.ts): survives moved lines and rebases. */
export const FindingId = z.string().min(1).brand<"FindingId">();
export type FindingId = z.infer<typeof FindingId>;

/** SHA-1 and SHA-256 repositories both exist. */
export const HeadSha = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "expected a full commit id of 40 or 64 hex digits")
  .brand<"HeadSha">();
export type HeadSha = z.infer<typeof HeadSha>;

/** Byte for byte: `git patch-id` ignores whitespace, so an approval would outlive a changed indentation in Python. */
export const PatchId = z.string().min(1).brand<"PatchId">();
export type PatchId = z.infer<typeof PatchId>;

/** Text of others. Only named functions turn it into something that acts. */
export const Untrusted = z.string().brand<"Untrusted">();
export type Untrusted = z.infer<typeof Untrusted>;

/** Names an action that is to happen once; the effect ledger stores it. */
export type ActionKey = string & z.core.$brand<"ActionKey">;
