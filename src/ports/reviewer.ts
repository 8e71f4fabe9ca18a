import type { Side } from "#core/diff/hunk.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { HeadSha, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Coverage } from "#core/model/records.ts";
import type { Shape } from "#core/model/shape.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import type { BatchAnswer, Batches, BatchRequest } from "#ports/batches.ts";
import type { ModelCall } from "#ports/model.ts";

/** Somebody who looks at one head in one role: rules, a model or an agent. */
export interface Reviewer {
  /**
   * Looks at the head of the job, once. Everything that can go wrong with the head, the diff or the reviewer is an
   * outcome; it rejects only for a bug. It writes nothing anywhere, and nothing that it answers decides anything: the
   * findings become facts of the next observation.
   *
   * Calling it again for the same job is allowed at any time (a worker died). A deterministic reviewer answers the same;
   * any other may answer differently, and may cost again.
   */
  review(job: ReviewJob): Promise<ReviewOutcome>;

  /**
   * What a look at this head can be had for: as the role is configured first, then ever cheaper. Absent for a reviewer
   * that costs nothing. It asks nobody outside.
   */
  offers?(job: ReviewJob): Promise<readonly ReviewOffer[]>;

  /** Absent where nobody takes batches, or nobody is there to wait for them. */
  readonly batched?: BatchedReviewer | undefined;
}

/**
 * The same look in steps, between which hours may pass and processes may die. Whoever hands the requests over keeps the
 * answers and comes back with all of them.
 */
export interface BatchedReviewer {
  /** The operator's name of the model that this look is asked of; null for the first one. */
  modelFor(job: ReviewJob): string | null;

  /** Whoever takes batches for the model of this name now; null where nobody does. */
  batchesOf(model: string | null): Batches | null;

  /**
   * What is still to be asked, or the outcome. Nothing but the job and the answers decides: the same answers lead to the
   * same step, however often it is asked. A request that is among the answers is not asked again.
   */
  next(job: ReviewJob, answers: readonly BatchAnswer[]): Promise<BatchedStep>;

  /** What all answers must be. */
  readonly shape: Shape;
}

export type BatchedStep =
  | { readonly kind: "ask"; readonly requests: readonly BatchRequest[] }
  | { readonly kind: "done"; readonly outcome: ReviewOutcome };

/** One way to have a head looked at. */
export interface ReviewOffer {
  /** For the reviewer that made the offer: it is handed back in the job. */
  readonly name: string;
  readonly delivery: "now" | "batch";
  /** About what it costs, rather too much than too little; null where nobody knows the price. */
  readonly costMicroUsd: number | null;
  /** How it differs from what is configured, for people: "by a cheaper model"; empty for the first. */
  readonly words: string;
}

export interface ReviewJob {
  /** The role whose findings these will be. */
  readonly role: string;
  /** What the rules in force say about the role; absent: what its name stands for, and nothing else. */
  readonly brief?: RoleBrief | undefined;
  readonly head: HeadSha;
  readonly baseBranch: string;
  /** The diff of the head against its base as git prints it, whole. Borrowed: nobody changes it during the review. */
  readonly diff: Uint8Array;
  /**
   * A file of the head (`new`) or of the merge base (`old`), as bytes. Null where there is none, where it is no plain
   * file, and where it is larger than the caller's own limit: a reviewer does without it then, and must not take null
   * for an empty file. The path is one of the repository, with slashes and not beginning with one; anything else is
   * answered with null. It rejects when the repository cannot be read at all.
   */
  readFile(side: Side, path: string): Promise<Uint8Array | null>;
  /**
   * What the role does not look at: patterns in the manner of CODEOWNERS (core/approval/path-pattern.ts), from the base
   * branch. A file that one of them matches is in the coverage as `excluded` and has no findings.
   */
  readonly excludedPaths: readonly string[];
  /** What the pull says about itself; absent where there is no pull, as with a diff on somebody's own machine. */
  readonly about?: { readonly title: Untrusted; readonly description: Untrusted } | undefined;
  /** The repository beyond single files; absent where nobody can look there. */
  readonly repository?: RepositoryView | undefined;
  /** Whether whoever asks can wait for a batch, which is offered only then. */
  readonly mayWait?: boolean | undefined;
  /** The offer that was taken; absent: as the role is configured. */
  readonly offer?: string | undefined;
  /** Told of each request to a model as soon as it has ended. It must not throw. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
  /**
   * Asked before each further part of the change, with about what the rest will cost; null where nobody knows. False: the
   * rest stays unread, and is in the coverage as `budget`. Absent: nobody counts.
   */
  readonly mayGoOn?: ((restMicroUsd: number | null) => Promise<boolean>) | undefined;
  /** Once it is aborted nobody wants the outcome; the reviewer answers soon, and with whatever it likes. */
  readonly signal: AbortSignal;
}

/** The repository at the head, to be looked at. It rejects when the repository cannot be read at all. */
export interface RepositoryView {
  /**
   * The paths of all files below a folder (`""` is the root), in the order of their bytes, as many as the caller allows:
   * `isCut` says that there are more. Null where there is no such folder, or none of that name can exist.
   */
  listFiles(folder: string): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean } | null>;
  /**
   * Lines that hold a text, to the letter but for the case of A to Z, in the order of paths and lines: in one file or
   * below a folder (`""` is the root). Null for a text that no line can hold. Absent where nobody can search but by
   * reading every file.
   */
  search?(request: SearchRequest): Promise<SearchHits | null>;
  /** Commits that changed a file or something below a folder, newest first, as many as the caller allows. */
  history(path: string): Promise<readonly HistoryEntry[]>;
}

export interface SearchRequest {
  readonly text: string;
  readonly folder: string;
  readonly isSkipped: (path: string) => boolean;
  readonly hitsMax: number;
  /** Of this search alone; that of the whole job ends it as well. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchHits {
  readonly hits: readonly { readonly path: string; readonly line: number; readonly text: Untrusted }[];
  /** Files that hold the text as well and whose lines are not shown. */
  readonly alsoIn: readonly string[];
  /** There is more. */
  readonly isCut: boolean;
}

export interface HistoryEntry {
  readonly commit: HeadSha;
  readonly author: Untrusted;
  /** The committer's claim, nobody's proof. */
  readonly at: Instant;
  readonly subject: Untrusted;
}

export type ReviewOutcome =
  | {
      readonly kind: "completed";
      /**
       * Of the job's role alone, on lines of its diff; a remark on a whole file has line 1 and an empty snippet. Their
       * order means nothing. The texts are untrusted: they quote code.
       */
      readonly findings: readonly RawFinding[];
      /** Every file of the diff is counted as read or named as unread. What is not here was not looked at. */
      readonly coverage: Coverage;
      /** For people, without markup that acts. Every limit that was reached is said here. */
      readonly summary: string;
      /** Millionths of a dollar, 0 for a reviewer that costs nothing. */
      readonly costMicroUsd: number;
    }
  /** The diff, or the reviewer's own answer, cannot be understood. Trying again will not help. */
  | { readonly kind: "unreadable"; readonly why: string; readonly costMicroUsd?: number | undefined }
  /** The world failed. `retryAt` is when it said that it can be asked again; null where it said nothing. */
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      /** What was spent all the same; absent where nothing was. */
      readonly costMicroUsd?: number | undefined;
    };
