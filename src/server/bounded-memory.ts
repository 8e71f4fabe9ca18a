/** Memory that many share, such as all bodies while they are being received. */
export interface BoundedMemory {
  /** `onEvicted` is called once, and only before `release`: its bytes are given to others. */
  open(onEvicted: () => void): MemoryShare;
  countBytes(): number;
}

export interface MemoryShare {
  /** Asks for so many bytes in all. False where it has to give way itself; it is released then. */
  grow(bytes: number): boolean;
  /** Twice is once. */
  release(): void;
}

/**
 * When it is full, the largest share gives way. Real deliveries are small and over within a moment, so senders of
 * large and slow bodies pay. Turning away the last one would let a few slow senders of large bodies keep everybody
 * else out.
 */
export function createBoundedMemory(bytesMax: number): BoundedMemory {
  const shares = new Set<HeldShare>();
  let held = 0;
  const release = (share: HeldShare): void => {
    if (shares.delete(share)) held -= share.bytes;
  };
  const makeRoom = (asking: HeldShare, wanted: number): boolean => {
    while (held - asking.bytes + wanted > bytesMax) {
      const largest = largestOf(shares, asking);
      const isOwn = largest === undefined || largest.bytes < wanted;
      release(isOwn ? asking : largest);
      if (isOwn) return false;
      largest.onEvicted();
    }
    return true;
  };
  return {
    open: (onEvicted) => {
      const share: HeldShare = { bytes: 0, onEvicted };
      shares.add(share);
      return {
        grow: (bytes) => {
          if (!shares.has(share) || !makeRoom(share, bytes)) return false;
          held += bytes - share.bytes;
          share.bytes = bytes;
          return true;
        },
        release: () => release(share),
      };
    },
    countBytes: () => held,
  };
}

interface HeldShare {
  bytes: number;
  readonly onEvicted: () => void;
}

function largestOf(shares: ReadonlySet<HeldShare>, but: HeldShare): HeldShare | undefined {
  let largest: HeldShare | undefined;
  for (const share of shares) if (share !== but && share.bytes > (largest?.bytes ?? 0)) largest = share;
  return largest;
}
