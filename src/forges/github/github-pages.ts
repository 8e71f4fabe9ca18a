import { githubLimits } from "#forges/github/github-limits.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";

export interface PagedList<Entry> {
  readonly fetchPage: (
    params: PageParams,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly answer: TransportResponse }>;
  readonly keyOf: (entry: Entry) => string | number;
  /** Ends a search for one entry. */
  readonly isEnough?: (entry: Entry) => boolean;
}

export interface PageParams {
  readonly per_page: number;
  readonly page: number;
}

export interface WalkedList<Entry> {
  readonly entries: readonly Entry[];
  readonly isCut: boolean;
}

/** Pages are counted: a link may lead anywhere, and the token would go there. Entries that move between pages count once. */
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

/** By the links: pages lack what the token may not see. One page has no links, and a proxy may remove them. */
function hasNext({ headers }: TransportResponse, length: number): boolean {
  const { link } = headers;
  if (link === undefined) return length >= githubLimits.pageSize;
  const relations = String(link).replaceAll(/<[^>]*>/g, "");
  return /;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(relations);
}
