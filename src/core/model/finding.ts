import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { CommentId, FindingId, HeadSha, ThreadId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";

/** A finding with its state block has to fit into one remark. */
export const findingLimits = {
  pathCharactersMax: 4_096,
  snippetCharactersMax: 4_000,
  messageCharactersMax: 4_000,
  suggestionCharactersMax: 8_000,
  waiverCharactersMax: 500,
} as const;

export const RawFinding = z.strictObject({
  role: z.string().min(1),
  rule: z.string().min(1),
  path: z.string().min(1).max(findingLimits.pathCharactersMax),
  side: z.enum(["old", "new"]),
  lines: z.strictObject({ first: z.number().int().positive(), last: z.number().int().positive() }),
  /** The identity is made of the quote, since line numbers move. */
  snippet: z.string().max(findingLimits.snippetCharactersMax),
  message: z.string().min(1).max(findingLimits.messageCharactersMax),
  assessment: z.string().max(findingLimits.messageCharactersMax),
  score: z.number().int().min(1).max(10),
  /** Replaces the whole range; null where no fix is certain. */
  suggestion: z.string().max(findingLimits.suggestionCharactersMax).nullable(),
});
export type RawFinding = Data<typeof RawFinding>;

/** Each can be checked afterwards: a head, or a person. */
export const Resolution = z.discriminatedUnion("how", [
  z.strictObject({ how: z.literal("fixed"), head: HeadSha }),
  z.strictObject({ how: z.literal("conceded"), reply: CommentId }),
  /** The only way past a score of 9 or 10 without a code change: a named person with write permission. */
  z.strictObject({
    how: z.literal("waived"),
    by: z.string().min(1),
    head: HeadSha,
    reason: z.string().min(1).max(findingLimits.waiverCharactersMax).optional(),
  }),
]);
export type Resolution = Data<typeof Resolution>;

export const FindingState = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("open") }),
  z.strictObject({ kind: z.literal("disputed") }),
  z.strictObject({ kind: z.literal("escalated") }),
  z.strictObject({ kind: z.literal("resolved"), resolution: Resolution }),
]);
export type FindingState = Data<typeof FindingState>;

export const Finding = z.strictObject({
  ...RawFinding.shape,
  id: FindingId,
  isBlocking: z.boolean(),
  head: HeadSha,
  round: z.number().int().positive(),
  state: FindingState,
  thread: ThreadId.nullable(),
  foundAt: Instant,
});
export type Finding = Data<typeof Finding>;

/** Arguing about a blocker does not unblock. */
export function isOpenBlocker(finding: Finding): boolean {
  return finding.isBlocking && finding.state.kind !== "resolved";
}
