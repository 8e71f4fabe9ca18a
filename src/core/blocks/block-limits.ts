/** What blocks may take. The room that outgoing texts leave for them is 16 KiB. */
export const blockLimits = {
  /** Of one block's JSON, which is plain ASCII. */
  blockBytesMax: 15_360,
  /** As many of the smallest blocks as a comment of 65,536 characters can hold. */
  blocksPerTextMax: 200,
  /** Heads in the process state, newest first: older ones can only make an old command unprovable, which is safe. */
  headsKeptMax: 40,
  /** More remarks to the bot than any pull has; those of outsiders are bounded far below. */
  classificationsKeptMax: 2_000,
  /** A block of them fits into a page with room for others. */
  classificationsPerBlock: 50,
} as const;
