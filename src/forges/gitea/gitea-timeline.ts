import { z } from "zod";
import type { Instant } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import { type Caller, callPage, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { malformedResponse } from "#forges/gitea/gitea-error.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { issuePath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { type GiteaPull, TimelineEntry } from "#forges/gitea/gitea-schema.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Texts of reviews included, all as they are now. */
export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly isCut: boolean;
}

interface TimelineLook extends ReadingManner {
  readonly caller: Caller;
  readonly pull: PullRef;
  readonly pageSize: number | null;
  /** Remarks on lines take rows of the pages and are not shown. */
  readonly remarks: number;
  readonly awaited: { readonly comments: readonly string[]; readonly reviews: readonly string[] };
  readonly isEnough?: boolean;
}

/**
 * Gitea counts pages in rows and then hides some, so a short or empty page need not be the last; the total is that of the
 * page. Anybody can fill rows with pending remarks, and hidden mentions take rows too. So pages are read until the known
 * entries are found; else the timeline is cut.
 */
export async function fetchTimeline(look: TimelineLook): Promise<Timeline> {
  const { caller, pull, pageSize, remarks, awaited, isEnough = false, ...how } = look;
  const asked = {
    ...how,
    where: whereOf(pull),
    name: "fetch timeline",
    method: "GET",
    path: `${issuePath(pull)}/timeline`,
    shape: z.unknown(),
  } as const;
  const missed = new Set([...awaited.comments.map(commentKey), ...awaited.reviews.map(reviewKey)]);
  const entries: TimelineEntry[] = [];
  let [shown, longest]: [number, number] = [0, giteaLimits.pageSizeMin];
  for (let page = 1; ; page++) {
    const { found } = await callPage(caller, { ...asked, page });
    for (const entry of readEntries(found, pull)) {
      entries.push(entry);
      missed.delete(entry.type === "review" ? reviewKey(entry.review_id) : commentKey(entry.id));
    }
    shown += found.length;
    longest = Math.max(longest, found.length);
    const rows = page * (pageSize ?? longest);
    const hidden = rows - shown - remarks;
    const isOver = hidden > giteaLimits.hiddenRowsMax || isEnough;
    if (isOver && missed.size === 0) return { entries: inOrder(entries), isCut: false };
    if (hidden > giteaLimits.hiddenRowsReadMax || rows > rowsMax + remarks) {
      return { entries: inOrder(entries), isCut: true };
    }
  }
}

const rowsMax = limits.commentsMax + limits.reviewsMax;

function commentKey(id: string): string {
  return `comment ${id}`;
}

function reviewKey(id: string): string {
  return `review ${id}`;
}

/** Other kinds may look as they like; a comment must not get lost. */
function readEntries(shown: readonly unknown[], pull: PullRef): readonly TimelineEntry[] {
  const known = shown.filter((entry) => KnownType.safeParse(entry).success);
  const entries = z.array(TimelineEntry).safeParse(known);
  if (entries.success) return entries.data;
  throw malformedResponse(`${whereOf(pull)}: fetch timeline`, false, entries.error);
}

function inOrder(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  return entries.toSorted((left, right) => left.created_at - right.created_at);
}

const KnownType = z.object({ type: TimelineEntry.shape.type });

/** Its present text, and when it was submitted. */
export function reviewEntries({ entries }: Timeline): ReadonlyMap<string, TimelineEntry> {
  const found = new Map<string, TimelineEntry>();
  for (const entry of entries) if (entry.type === "review") found.set(entry.review_id, entry);
  return found;
}

/** By a person, or by a rule of the branch after a push. */
export function dismissedReviews({ entries }: Timeline): ReadonlySet<string> {
  return new Set(entries.filter(({ type }) => type === "dismiss_review").map((entry) => entry.review_id));
}

const Push = z.object({ commit_ids: z.array(z.string()) });

/** Null if a later push has another head, or if unknown. */
export function pushedAt({ entries, isCut }: Timeline, head: string): Instant | null {
  if (isCut) return null;
  const last = entries.findLast(({ type }) => type === "pull_push");
  if (last === undefined) return null;
  const push = Push.safeParse(parseJson(last.body));
  return push.success && push.data.commit_ids.at(-1) === head ? last.created_at : null;
}

/** Null if the last reported change led to another value: then it is unknown. */
export function basedSince({ entries, isCut }: Timeline, { base, created_at }: GiteaPull): Instant | null {
  if (isCut) return null;
  const last = entries.findLast(({ type }) => type === "change_target_branch");
  if (last === undefined) return created_at;
  return last.new_ref === base.ref ? last.created_at : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
