import type { Instant } from "#core/model/instant.ts";
import type { Asked } from "#gitea-like/rest/route.ts";

/** Lists of comments can be cut to those that were changed within some time. */
export function isBetween({ query }: Pick<Asked, "query">, at: Instant): boolean {
  const since = query.get("since");
  const before = query.get("before");
  const second = Math.floor(at / 1000) * 1000;
  return (since === null || second >= Date.parse(since)) && (before === null || second <= Date.parse(before));
}
