import { fetchPage } from "./api.js";

/** Pages are counted from 1, and `pages` is the number of the last one. */
export async function allEntries(): Promise<string[]> {
  const first = await fetchPage(1);
  const entries = [...first.entries];
  for (let page = 2; page <= first.pages; page += 1) {
    entries.push(...(await fetchPage(page)).entries);
  }
  return entries;
}
