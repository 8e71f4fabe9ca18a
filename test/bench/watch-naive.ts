import { minuteMs, secondMs } from "#core/model/instant.ts";
import { type BilledRequest, takeRequests } from "./watch-bill.ts";
import type { WatchSite } from "./watch-site.ts";

/** As seed 002 has it: the reactions and the review comments of each pull, every 30 seconds, whatever was said before. */
const everyMs = 30 * secondMs;

/** What the naive way costs within these minutes. It is the same whether something changes or not. */
export async function watchNaively(site: WatchSite, minutes: number): Promise<readonly BilledRequest[]> {
  const { endless, refs, naiveToken } = site;
  const requests: BilledRequest[] = [];
  const headers = {
    authorization: `Bearer ${naiveToken}`,
    "user-agent": "naive",
    accept: "application/vnd.github+json",
  };
  for (let passedMs = 0; passedMs < minutes * minuteMs; passedMs += everyMs) {
    for (const { repository, number } of refs) {
      const root = `${endless.url}/repos/${repository.name}`;
      for (const path of [`issues/${number}/reactions`, `pulls/${number}/comments`]) {
        const response = await fetch(`${root}/${path}`, { headers });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
      }
    }
    requests.push(...takeRequests(endless));
  }
  return requests;
}
