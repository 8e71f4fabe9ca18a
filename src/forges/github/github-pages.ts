import { githubLimits } from "#forges/github/github-limits.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";

export interface PagedList<Entry> {
  /** One page of the list, and the answer that it came in. */
  readonly fetchPage: (
    params: PageParams,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly answer: TransportResponse }>;
  /** What an entry is known by when it comes again. */
  readonly keyOf: (entry: Entry) => string | number;
  /** For a search for one entry: the pages after it are not read. */
  readonly isEnough?: (entry: Entry) => boolean;
}

export interface PageParams {
  readonly per_page: number;
  readonly page: number;
}

export interface WalkedList<Entry> {
  /** Each once, in the order of the forge. */
  readonly entries: readonly Entry[];
  /** There is more that was not asked for: the list has more pages than are read of any. */
  readonly isCut: boolean;
}

/**
 * Reads a list of REST to its end. Pages are counted, and no link is followed: what an answer links to may be anywhere, and
 * the token would go there. An entry that moves while pages are turned is seen on two of them, and counts once.
 */
export async function walkPages<Entry>({
  fetchPage,
  keyOf,
  isEnough = () => false,
}: PagedList<Entry>): Promise<WalkedList<Entry>> {
  const found = new Map<string | number, Entry>();
  for (let page = 1; page <= githubLimits.pagesMax; page++) {
    const { entries, answer } = await fetchPage({ per_page: githubLimits.pageSize, page });
    const fresh = entries.filter((entry) => !found.has(keyOf(entry)));
    for (const entry of fresh) found.set(keyOf(entry), entry);
    // A server that knows nothing of pages gives the same one for ever.
    const isRepeated = entries.length > 0 && fresh.length === 0;
    const isOver = isRepeated || !hasNext(answer, entries.length);
    if (isOver || fresh.some(isEnough)) return { entries: [...found.values()], isCut: false };
  }
  return { entries: [...found.values()], isCut: true };
}

/**
 * The links of a response count. GitHub leaves out what the token may not see, so a page may be shorter than asked
 * for and not be the last one. GitHub sends none where there is one page, and a proxy may take them away.
 */
function hasNext({ headers }: TransportResponse, length: number): boolean {
  const { link } = headers;
  if (link === undefined) return length >= githubLimits.pageSize;
  const relations = String(link).replaceAll(/<[^>]*>/g, "");
  return /;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(relations);
}
