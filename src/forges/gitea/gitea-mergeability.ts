import { after, type Instant, instant } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { isDraft } from "#forges/gitea/gitea-map.ts";
import type { GiteaPull } from "#forges/gitea/gitea-schema.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export type ReadMergeability = (look: {
  readonly ref: PullRef;
  readonly pull: GiteaPull;
  readonly pushedAt: Instant | null;
  readonly now: Instant;
}) => Pull["mergeability"];

/**
 * False is a conflict, a draft, or not looked at since a push to either branch. So "no" is believed after some time; a base
 * push shows only as a move between two looks.
 */
export function createReadMergeability(): ReadMergeability {
  const bases = new Map<string, { readonly sha: string; readonly since: Instant }>();
  return ({ ref, pull, pushedAt, now }) => {
    const key = `${ref.repository.id}/${ref.number}`;
    const known = bases.get(key);
    const base =
      known?.sha === pull.base.sha ? known : { sha: pull.base.sha, since: known === undefined ? never : now };
    if (bases.size >= giteaLimits.pullsRememberedMax) bases.clear();
    bases.set(key, base);
    if (pull.state !== "open" || isDraft(pull)) return { kind: "unknown" };
    if (pull.mergeable === true) return { kind: "mergeable" };
    const movedAt = instant(Math.max(pushedAt ?? pull.updated_at, base.since));
    return { kind: now < after(movedAt, giteaLimits.mergeCheckMsMax) ? "unknown" : "conflicting" };
  };
}

const never = instant(0);
