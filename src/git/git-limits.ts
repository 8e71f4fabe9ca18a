/**
 * Of a file that is compared line by line. A larger one appears in a diff like a binary file: it was not read. For
 * each line git takes about forty bytes, so that 95 MB of empty lines, which are pushed as 400 kB, took 3.9 GB.
 */
export const comparedBytesMax = 4 * 1024 * 1024;

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
  /** Answers without another limit: lists of refs, trees, reports. */
  readonly answerBytesMax: number;
  readonly stderrBytesMax: number;
  /** Memory that a process may ask for, files that it maps included. One that wants more ends with an error. */
  readonly memoryBytesMax: number;
  /** The same where packs are made or received: git keeps a list of all their objects. */
  readonly packMemoryBytesMax: number;
  /** Processes at the same time that compare, search or join packs; the others wait for their turn. */
  readonly heavyAtOnceMax: number;
  /** Fetches and pushes at the same time. */
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
  // The indexes of the packs of a repository of ten million objects, and the most that a comparison takes.
  memoryBytesMax: 2 * 1024 * 1024 * 1024,
  packMemoryBytesMax: 4 * 1024 * 1024 * 1024,
  heavyAtOnceMax: 2,
  networkAtOnceMax: 4,
};
