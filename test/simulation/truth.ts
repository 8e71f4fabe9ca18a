import type { AccountId, CommentId, HeadSha, PatchId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";

/**
 * What really happened on the forge, noted by the actors as they act. The oracle judges by it alone: it never asks the
 * code that it judges what something meant.
 */
export interface Truth {
  /** What each head really contains: the defects that a reviewer who reads it will find, with their scores. */
  readonly defects: Map<HeadSha, readonly Defect[]>;
  readonly patches: Map<HeadSha, PatchId>;
  readonly approvals: GivenApproval[];
  readonly orders: GivenOrder[];
  readonly questions: Map<CommentId, { readonly mayAsk: boolean; wording: number; isDeleted: boolean }>;
  /** How often each comment with a command was answered. */
  readonly acknowledged: Map<CommentId, number>;
  readonly answers: Map<CommentId, number>;
  readonly merges: { readonly head: HeadSha }[];
  /** What was seen at least once; the list of what must be seen is in sometimes.ts. */
  readonly sightings: Set<string>;
  /** The last head whose checks all passed, by head. */
  readonly green: Set<HeadSha>;
}

export interface Defect {
  readonly name: string;
  readonly score: number;
}

/** A thumb or a formal approval, with what its giver had before their eyes. */
export interface GivenApproval {
  readonly by: AccountId;
  readonly mayApprove: boolean;
  readonly head: HeadSha;
  readonly base: string;
  readonly at: Instant;
  readonly way: "thumb" | "review";
  takenBackAt: Instant | null;
}

/** A command that somebody gave. */
export interface GivenOrder {
  readonly comment: CommentId;
  readonly word: string;
  readonly mayCommand: boolean;
  readonly head: HeadSha;
  readonly base: string;
  readonly at: Instant;
  readonly forMs: number | null;
  isDeleted: boolean;
}

export function emptyTruth(): Truth {
  return {
    defects: new Map(),
    patches: new Map(),
    approvals: [],
    orders: [],
    questions: new Map(),
    acknowledged: new Map(),
    answers: new Map(),
    merges: [],
    sightings: new Set(),
    green: new Set(),
  };
}
