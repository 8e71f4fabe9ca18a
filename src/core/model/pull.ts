import { z } from "zod";
import { Account } from "#core/model/account.ts";
import type { Data } from "#core/model/data.ts";
import { AccountId, HeadSha, PatchId, RepositoryId, Untrusted } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";

export const BodyEdit = z.strictObject({
  at: Instant,
  by: AccountId.nullable(),
  /** The whole text after this edit; null where the forge tells only that there was one. */
  body: Untrusted.nullable(),
});
export type BodyEdit = Data<typeof BodyEdit>;

/** `since`: it certainly stood then. Another base makes another entry: the same commits are another change. */
export const HeadSeen = z.strictObject({
  sha: HeadSha,
  baseBranch: z.string().min(1),
  since: Instant,
  /** Null until it is computed: no approval is carried over to or from this head until then. */
  patch: PatchId.nullable(),
});
export type HeadSeen = Data<typeof HeadSeen>;

const Mergeability = z.discriminatedUnion("kind", [
  /** Just after a push the forge has not computed it yet. */
  z.strictObject({ kind: z.literal("unknown") }),
  z.strictObject({ kind: z.literal("mergeable") }),
  z.strictObject({ kind: z.literal("conflicting") }),
]);

export const Pull = z.strictObject({
  repository: z.strictObject({ id: RepositoryId, name: z.string().min(1) }),
  number: z.number().int().positive(),
  title: Untrusted,
  body: Untrusted,
  bodyEdits: z.array(BodyEdit),
  author: Account,
  createdAt: Instant,
  state: z.enum(["open", "closed", "merged"]),
  isDraft: z.boolean(),
  head: z.strictObject({
    sha: HeadSha,
    branch: z.string().min(1),
    isFork: z.boolean(),
    /** When the forge says it was pushed; never a commit's own date, which its author writes. */
    pushedAt: Instant.nullable(),
    patch: PatchId.nullable(),
  }),
  base: z.strictObject({
    branch: z.string().min(1),
    /** When the pull got this base branch. Null if unknown. */
    since: Instant.nullable(),
  }),
  labels: z.array(z.string()),
  mergeability: Mergeability,
  requestedReviewers: z.array(Account),
});
export type Pull = Data<typeof Pull>;
