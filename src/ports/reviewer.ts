import type { Side } from "#core/diff/hunk.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { HeadSha, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Coverage } from "#core/model/records.ts";
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
}

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
  /** The offer that was taken; absent: as the role is configured. */
  readonly offer?: string | undefined;
  /** Told of each request to a model as soon as it has ended. It must not throw. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
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
  /** Commits that changed a file or something below a folder, newest first, as many as the caller allows. */
  history(path: string): Promise<readonly HistoryEntry[]>;
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
