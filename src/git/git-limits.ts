/** What one git process may take. Reaching a limit ends it, with its whole process group, and is a `GitError`. */
export interface GitLimits {
  /** Work inside of a mirror. The largest diffs of large repositories take seconds. */
  readonly commandMsMax: number;
  /** A fetch or a push. The first fetch of a large repository takes minutes. */
  readonly networkMsMax: number;
  /** Between asking a process to end and ending it. It removes its lock files in that time. */
  readonly graceMs: number;
  /** Packs of one mirror on disk. */
  readonly mirrorBytesMax: number;
  /** Each fetch adds a pack, and git looks through all of them; beyond so many they are joined. */
  readonly packsMax: number;
  /** How often a running fetch is measured. */
  readonly measureMs: number;
  /** Answers whose size nobody else limits: lists of refs, trees, reports. */
  readonly answerBytesMax: number;
  readonly stderrBytesMax: number;
}

export const defaultGitLimits: GitLimits = {
  commandMsMax: 120_000,
  networkMsMax: 900_000,
  graceMs: 2_000,
  mirrorBytesMax: 20 * 1024 * 1024 * 1024,
  packsMax: 50,
  measureMs: 1_000,
  answerBytesMax: 256 * 1024 * 1024,
  stderrBytesMax: 64 * 1024,
};
