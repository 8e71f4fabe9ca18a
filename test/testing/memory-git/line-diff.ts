/** Either side may be empty. Ends are exclusive. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** With line ends, so that a missing newline is a difference. */
export function linesOf(text: string): readonly string[] {
  const parts = text.split("\n");
  const last = parts.pop() ?? "";
  const lines = parts.map((part) => `${part}\n`);
  return last === "" ? lines : [...lines, last];
}

/** Beyond it the whole middle is shown as replaced: right, if not short. */
const editsMax = 2_000;

export function diffLines(older: readonly string[], newer: readonly string[]): readonly LineChange[] {
  let start = 0;
  while (start < older.length && start < newer.length && older[start] === newer[start]) start += 1;
  let [oldEnd, newEnd] = [older.length, newer.length];
  while (oldEnd > start && newEnd > start && older[oldEnd - 1] === newer[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  if (start === oldEnd && start === newEnd) return [];
  const paths = findPaths(older.slice(start, oldEnd), newer.slice(start, newEnd));
  if (paths === undefined) return [{ oldStart: start, oldEnd, newStart: start, newEnd }];
  return walkBack(paths, { oldLength: oldEnd - start, newLength: newEnd - start }, start);
}

/** Per number of edits: how far the old text is used up on each diagonal. */
type Paths = readonly ReadonlyMap<number, number>[];

function findPaths(older: readonly string[], newer: readonly string[]): Paths | undefined {
  const paths: Map<number, number>[] = [];
  let last = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(older.length + newer.length, editsMax); edits += 1) {
    const reached = new Map<number, number>();
    paths.push(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let at = goesDown(last, diagonal, edits) ? (last.get(diagonal + 1) ?? 0) : (last.get(diagonal - 1) ?? 0) + 1;
      while (at < older.length && at - diagonal < newer.length && older[at] === newer[at - diagonal]) at += 1;
      reached.set(diagonal, at);
      if (at >= older.length && at - diagonal >= newer.length) return paths;
    }
    last = reached;
  }
  return undefined;
}

function goesDown(last: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (last.get(diagonal - 1) ?? -1) < (last.get(diagonal + 1) ?? -1);
}

function walkBack(
  paths: Paths,
  { oldLength, newLength }: { readonly oldLength: number; readonly newLength: number },
  offset: number,
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [oldAt, newAt] = [oldLength, newLength];
  for (let edits = paths.length - 1; edits > 0; edits -= 1) {
    const last = paths[edits - 1] ?? new Map<number, number>();
    const diagonal = oldAt - newAt;
    const isDown = goesDown(last, diagonal, edits);
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const oldFrom = last.get(from) ?? 0;
    const newFrom = oldFrom - from;
    changes.push({
      oldStart: offset + oldFrom,
      oldEnd: offset + oldFrom + (isDown ? 0 : 1),
      newStart: offset + newFrom,
      newEnd: offset + newFrom + (isDown ? 1 : 0),
    });
    [oldAt, newAt] = [oldFrom, newFrom];
  }
  return joinNeighbours(changes.toReversed());
}

function joinNeighbours(changes: readonly LineChange[]): readonly LineChange[] {
  const joined: LineChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last?.oldEnd === change.oldStart && last.newEnd === change.newStart) {
      joined[joined.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
    } else joined.push(change);
  }
  return joined;
}
