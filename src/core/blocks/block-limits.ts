export const blockLimits = {
  /** Plain ASCII JSON. Outgoing texts leave 16 KiB for all blocks. */
  blockBytesMax: 15_360,
  /** As many of the smallest blocks as a comment of 65,536 characters can hold. */
  blocksPerTextMax: 200,
  /** Newest first: older heads can only make an old command unprovable, which is safe. */
  headsKeptMax: 40,
  /** More remarks to the bot than any pull has; those of outsiders are bounded far below. */
  classificationsKeptMax: 2_000,
  /** A block of them fits into a page with room for others. */
  classificationsPerBlock: 50,
} as const;
