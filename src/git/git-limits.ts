/** A larger file is diffed as binary. Git takes forty bytes a line: 95 MB of empty lines, pushed as 400 kB, took 3.9 GB. */
export const comparedBytesMax = 4 * 1024 * 1024;

/** At a limit the whole process group ends with a `GitError`. */
export interface GitLimits {
  /** The largest diffs of large repositories take seconds. */
  readonly commandMsMax: number;
  /** The first fetch of a large repository takes minutes. */
  readonly networkMsMax: number;
  /** For a process that was asked to end: it removes its lock files. */
  readonly graceMs: number;
  readonly mirrorBytesMax: number;
  /** Each fetch adds a pack, and git looks through all of them; beyond so many they are joined. */
  readonly packsMax: number;
  readonly measureMs: number;
  readonly answerBytesMax: number;
  readonly stderrBytesMax: number;
  /** Mapped files included. A process that wants more ends with an error. */
  readonly memoryBytesMax: number;
  /** Where packs are made or received: git keeps a list of all their objects. */
  readonly packMemoryBytesMax: number;
  readonly heavyAtOnceMax: number;
  readonly networkAtOnceMax: number;
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
  // The pack indexes of ten million objects, and the most that a comparison takes.
  memoryBytesMax: 2 * 1024 * 1024 * 1024,
  packMemoryBytesMax: 4 * 1024 * 1024 * 1024,
  heavyAtOnceMax: 2,
  networkAtOnceMax: 4,
};
