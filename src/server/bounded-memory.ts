/** Memory that many share, such as all bodies while they are being received. */
export interface BoundedMemory {
  /** `onEvicted` is called at most once, and only before `release`: its bytes are given to others. */
  open(onEvicted: () => void): MemoryShare;
  countBytes(): number;
}

export interface MemoryShare {
  /** Asks for so many bytes in all. False: this share itself is evicted and released. */
  grow(bytes: number): boolean;
  release(): void;
}

/** When full, the largest share is evicted: real deliveries are small, and slow large senders must not block them. */
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
