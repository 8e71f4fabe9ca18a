import { compareText } from "#core/compare-text.ts";
import { groupBy } from "#core/group-by.ts";
import type { Coverage } from "#core/model/records.ts";

type Unread = Coverage["unread"][number];
type UnreadReason = Unread["why"];

const unreadReasons: readonly UnreadReason[] = ["unreadable", "budget", "size", "binary", "generated", "excluded"];

/** A coverage without any file proves nothing: a reviewer that never looked leaves the same. */
export function isComplete(coverage: Coverage): boolean {
  return namesFiles(coverage) && coverage.isSwayed !== true && !coverage.unread.some(isHole);
}

/** A generated file leaves a hole too: an author who wants to hide code can choose the name. */
export function isHole({ why }: Unread): boolean {
  return why !== "excluded";
}

/** A reviewer looked: at least one file was read or has a reason why not. */
export function namesFiles({ filesRead, unread }: Coverage): boolean {
  return filesRead + unread.length > 0;
}

/** A path that one role excludes and another reads was read; other holes count. `filesRead` is a lower bound. */
export function mergeCoverages(coverages: readonly Coverage[]): Coverage {
  const byPath = groupBy(
    coverages.flatMap((coverage) => [...worstByPath(coverage.unread).values()]),
    ({ path }) => path,
  );
  const holes = [...byPath.values()].filter((entries) => entries.length === coverages.length || entries.some(isHole));
  return {
    filesRead: Math.max(0, ...coverages.map(({ filesRead }) => filesRead)),
    unread: [...worstByPath(holes.flat()).values()].toSorted((left, right) => compareText(left.path, right.path)),
    ...(coverages.some(({ isSwayed }) => isSwayed) && { isSwayed: true }),
  };
}

export interface CoverageSummary {
  readonly isComplete: boolean;
  readonly filesRead: number;
  readonly unread: readonly { readonly why: UnreadReason; readonly paths: readonly string[] }[];
}

export function summariseCoverage(coverage: Coverage): CoverageSummary {
  const byReason = groupBy([...worstByPath(coverage.unread).values()], ({ why }) => why);
  return {
    isComplete: isComplete(coverage),
    filesRead: coverage.filesRead,
    unread: unreadReasons.flatMap((why) => {
      const paths = (byReason.get(why) ?? []).map(({ path }) => path).toSorted(compareText);
      return paths.length === 0 ? [] : [{ why, paths }];
    }),
  };
}

function worstByPath(unread: readonly Unread[]): ReadonlyMap<string, Unread> {
  const worst = new Map<string, Unread>();
  for (const entry of unread) {
    const other = worst.get(entry.path);
    if (other === undefined || rank(entry.why) < rank(other.why)) worst.set(entry.path, entry);
  }
  return worst;
}

function rank(why: UnreadReason): number {
  return unreadReasons.indexOf(why);
}
