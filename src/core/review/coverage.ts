import { compareText } from "#core/compare-text.ts";
import { groupBy } from "#core/group-by.ts";
import type { Coverage } from "#core/model/records.ts";

type Unread = Coverage["unread"][number];
type UnreadReason = Unread["why"];

/** The reason that most wants attention first. */
const unreadReasons: readonly UnreadReason[] = ["unreadable", "budget", "size", "binary", "generated", "excluded"];

/**
 * Everything that was to be read was read, by somebody who was not told what to think of it. A coverage that names no
 * file at all is no proof of anything: that is also what a reviewer leaves behind that never looked.
 */
export function isComplete(coverage: Coverage): boolean {
  return namesFiles(coverage) && coverage.isSwayed !== true && !coverage.unread.some(isHole);
}

/**
 * A file that the rules exclude was not to be read; every other reason leaves a hole. So does a name that says that nobody
 * wrote the file: whoever wants code to be passed over chooses its name.
 */
export function isHole({ why }: Unread): boolean {
  return why !== "excluded";
}

/** Somebody looked: at least one file was read or has a reason why not. */
export function namesFiles({ filesRead, unread }: Coverage): boolean {
  return filesRead + unread.length > 0;
}

/**
 * What all roles together did not read. A path that one role leaves out by its rules and another looks at was looked
 * at; any other hole counts, whoever has it. The number of files is that of the role that read most: coverages do not
 * name what was read, so the true number may be higher.
 */
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
  /** Reasons without a file are left out; paths in order. */
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
