import { z } from "zod";
import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";

/** Some are larger than a double holds and come as text or as a bigint. */
export const GithubId = z
  .union([z.number().int().nonnegative(), z.bigint(), z.string().regex(/^\d+$/)])
  .transform((id) => String(id));

export const RestUser = z.object({ id: GithubId, login: z.string().min(1), type: z.string().catch("User") });
export type RestUser = z.infer<typeof RestUser>;

export const Actor = z
  .object({
    type: z.string(),
    login: z.string().min(1),
    /** Enterprise accounts have none. */
    databaseId: GithubId.nullish(),
  })
  .nullable();
export type Actor = z.infer<typeof Actor>;

/** Null: an element that GitHub does not show. A list that is counted and empty is withheld: the query was too much. */
export function connection<Node extends z.ZodType>(node: Node) {
  return z
    .object({
      totalCount: z.number(),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(node.nullable()).nullable(),
    })
    .transform(({ totalCount, pageInfo, nodes }) => ({
      totalCount,
      pageInfo,
      nodes: (nodes ?? []).filter((each) => each !== null),
      isWithheld: totalCount > 0 && (nodes ?? []).length === 0,
    }));
}

export const LabelNode = z.object({ name: z.string() });
export type LabelNode = z.infer<typeof LabelNode>;

export const RemarkNode = z.object({
  fullDatabaseId: GithubId,
  author: Actor,
  body: Untrusted,
  createdAt: Instant,
  lastEditedAt: Instant.nullable(),
});
export type RemarkNode = z.infer<typeof RemarkNode>;

export const ThreadRemarkNode = RemarkNode.extend({
  state: z.string(),
  /** Only the first page of a thread tells: a list of its own would cost another point. */
  diffHunk: z.string().optional(),
  originalCommit: z.object({ oid: HeadSha }).nullish(),
});
export type ThreadRemarkNode = z.infer<typeof ThreadRemarkNode>;

export const ReviewNode = z.object({
  fullDatabaseId: GithubId,
  author: Actor,
  state: z.string(),
  body: Untrusted,
  createdAt: Instant,
  submittedAt: Instant.nullable(),
  commit: z.object({ oid: HeadSha }).nullable(),
});
export type ReviewNode = z.infer<typeof ReviewNode>;

/** Null also for the unexpected: it refuses a suggestion, not the whole pull. */
const DiffSide = z.enum(["LEFT", "RIGHT"]).nullable().catch(null);
const OriginalLine = z.number().int().positive().nullable().catch(null);

export const ThreadNode = z.object({
  id: z.string().min(1),
  path: z.string().min(1),
  line: z.number().int().positive().nullable(),
  isResolved: z.boolean(),
  /** They do not move; both are null for a remark on a whole file. */
  originalLine: OriginalLine,
  originalStartLine: OriginalLine,
  diffSide: DiffSide,
  startDiffSide: DiffSide,
  comments: connection(ThreadRemarkNode),
});
export type ThreadNode = z.infer<typeof ThreadNode>;

export const ReactionNode = z.object({ content: z.string(), createdAt: Instant, user: Actor });
export type ReactionNode = z.infer<typeof ReactionNode>;

export const EditNode = z.object({
  editedAt: Instant,
  editor: Actor,
  /** The whole text after the edit, in spite of its name; null if it was removed from the history. */
  diff: Untrusted.nullable(),
});
export type EditNode = z.infer<typeof EditNode>;

/** The last force-push of the head, or move of the base; empty where there was none. */
export const PushNode = z.object({ createdAt: Instant, afterCommit: z.object({ oid: z.string() }).nullable() });
export type PushNode = z.infer<typeof PushNode>;

export const BaseNode = z.object({ createdAt: Instant, base: z.string() });
export type BaseNode = z.infer<typeof BaseNode>;

const CheckRunNode = z.object({
  type: z.literal("CheckRun"),
  name: z.string().min(1),
  status: z.string(),
  conclusion: z.string().nullable(),
  /** As the App says: an impossible time must not hide the pull. */
  startedAt: Instant.nullable().catch(null),
  summary: z.string().nullable(),
  checkSuite: z.object({
    id: z.string(),
    app: z.object({ databaseId: GithubId.nullable(), slug: z.string() }).nullable(),
    workflowRun: z.object({ event: z.string(), workflow: z.object({ name: z.string() }) }).nullable(),
  }),
});
export type CheckRunNode = z.infer<typeof CheckRunNode>;

const StatusNode = z.object({
  type: z.literal("StatusContext"),
  context: z.string().min(1),
  state: z.string(),
  description: z.string().nullable(),
  createdAt: Instant,
  creator: Actor,
});
export type StatusNode = z.infer<typeof StatusNode>;

export const ContextNode = z.discriminatedUnion("type", [CheckRunNode, StatusNode]);
export type ContextNode = z.infer<typeof ContextNode>;
