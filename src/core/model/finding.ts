import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { CommentId, FindingId, HeadSha, ThreadId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";

/** A finding has to fit into one remark, with its state block. A reviewer that has more to say cuts it itself. */
export const findingLimits = {
  pathCharactersMax: 4_096,
  snippetCharactersMax: 4_000,
  messageCharactersMax: 4_000,
  suggestionCharactersMax: 8_000,
  waiverCharactersMax: 500,
} as const;

/** What a reviewer says about a place in the code, before Drover has given it an identity. */
export const RawFinding = z.strictObject({
  role: z.string().min(1),
  rule: z.string().min(1),
  path: z.string().min(1).max(findingLimits.pathCharactersMax),
  side: z.enum(["old", "new"]),
  /** First and last line, on that side. */
  lines: z.strictObject({ first: z.number().int().positive(), last: z.number().int().positive() }),
  /** The code as quoted: the identity is made of it, since line numbers move. */
  snippet: z.string().max(findingLimits.snippetCharactersMax),
  message: z.string().min(1).max(findingLimits.messageCharactersMax),
  assessment: z.string().max(findingLimits.messageCharactersMax),
  score: z.number().int().min(1).max(10),
  /** Text that replaces the whole range; null where no fix is certain. */
  suggestion: z.string().max(findingLimits.suggestionCharactersMax).nullable(),
});
export type RawFinding = Data<typeof RawFinding>;

/** Why a finding no longer stands. Each of them can be checked afterwards: a head, or a person. */
export const Resolution = z.discriminatedUnion("how", [
  z.strictObject({ how: z.literal("fixed"), head: HeadSha }),
  z.strictObject({ how: z.literal("conceded"), reply: CommentId }),
  /** The only way past a score of 9 or 10 without a code change: a named person with write permission. */
  z.strictObject({
    how: z.literal("waived"),
    by: z.string().min(1),
    head: HeadSha,
    /** In their own words; absent where they gave none. */
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

/** A finding that Drover knows: kept in the store and, as a state block, under the remark on the forge. */
export const Finding = z.strictObject({
  ...RawFinding.shape,
  id: FindingId,
  isBlocking: z.boolean(),
  /** The head at which it was first seen, and in which round of reviews. */
  head: HeadSha,
  round: z.number().int().positive(),
  state: FindingState,
  /** Where it was said; null while it is only in the summary. */
  thread: ThreadId.nullable(),
  foundAt: Instant,
});
export type Finding = Data<typeof Finding>;

/** It still stands between the pull and its merge: arguing about a blocker does not unblock. */
export function isOpenBlocker(finding: Finding): boolean {
  return finding.isBlocking && finding.state.kind !== "resolved";
}
