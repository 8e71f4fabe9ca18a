/** Answers in the order of the items. After a failure nothing more begins, and what runs ends first. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  atOnceMax: number,
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += atOnceMax) {
    const settled = await Promise.allSettled(items.slice(at, at + atOnceMax).map(map));
    for (const outcome of settled) {
      if (outcome.status === "rejected") throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
