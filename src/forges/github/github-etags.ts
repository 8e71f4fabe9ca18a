import { githubLimits } from "#forges/github/github-limits.ts";

/** An answer that is still good as long as GitHub says that nothing changed. */
interface Kept {
  readonly etag: string;
  readonly data: unknown;
}

/** GitHub binds an ETag to the token that asked: for another token, even a newer one of ours, it is no use. */
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
      // What is asked for again moves to the end, and the front is what goes first.
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
