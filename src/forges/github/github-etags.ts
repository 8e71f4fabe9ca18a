import { githubLimits } from "#forges/github/github-limits.ts";

interface Kept {
  readonly etag: string;
  readonly data: unknown;
}

/** GitHub binds an ETag to the token that asked: another one of ours cannot use it. */
export interface Etags {
  find(token: string, url: string): Kept | undefined;
  keep(token: string, url: string, kept: Kept): void;
}

export function createEtags(entriesMax: number = githubLimits.etagsMax): Etags {
  const entries = new Map<string, Kept>();
  return {
    find(token, url) {
      const key = keyOf(token, url);
      const found = entries.get(key);
      if (found === undefined) return undefined;
      // Moves to the end; the front goes first.
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    keep(token, url, kept) {
      entries.set(keyOf(token, url), kept);
      for (const key of entries.keys()) {
        if (entries.size <= entriesMax) return;
        entries.delete(key);
      }
    },
  };
}

function keyOf(token: string, url: string): string {
  return `${token} ${url}`;
}
