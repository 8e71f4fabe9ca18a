/** Only words that differ in at most a third of the letters. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, distance: distanceOf(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(1, Math.floor(each.length / 3)))
    .toSorted((left, right) => left.distance - right.distance);
  return ranked[0]?.each;
}

function distanceOf(left: string, right: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of left.split("").entries()) {
    const next = [index + 1];
    for (const [column, other] of right.split("").entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwap = column > 0 && letter === right[column - 1] && other === left[index - 1];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
