import { time } from "#forge-like/time.ts";
import { pagingOf, slice, totalHeader } from "#gitea-like/rest/page.ts";
import { pullPage } from "#gitea-like/rest/pull-body.ts";
import { pullAsked, type Route } from "#gitea-like/rest/route.ts";
import { isBetween } from "#gitea-like/rest/since.ts";
import { type TimelineEntry, timelineOf } from "#gitea-like/rest/timeline.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import type { PullSight } from "#gitea-like/sight.ts";

export const timelineRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{index}/timeline",
    name: "list_timeline",
    isWrite: false,
    scope: "issue",
    /**
     * Remarks are left out of a page after it was cut, and the total is that of the page: one may be short, or null,
     * and more may follow.
     */
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked);
      const all = (await timelineOf(pull)).filter(({ at, editedAt }) => isBetween(asked, editedAt ?? at));
      const shown = slice(all, pagingOf(sight, asked)).filter(({ type }) => type !== "code");
      const body = shown.length === 0 ? null : shown.map((entry) => entryBody(pull, entry));
      return { status: 200, body, headers: totalHeader(shown.length) };
    },
  },
];

function entryBody(pull: PullSight, { id, type, by, at, editedAt, body, more }: TimelineEntry): object {
  const page = pullPage(pull);
  return {
    id,
    type,
    html_url: `${page}#issuecomment-${id}`,
    pull_request_url: page,
    issue_url: "",
    user: userBody(pull.sight, by),
    body,
    created_at: time(at),
    updated_at: time(editedAt ?? at),
    ...blank,
    ...more,
  };
}

/** Every entry has the fields of all types. */
const blank = {
  old_project_id: 0,
  project_id: 0,
  old_milestone: null,
  milestone: null,
  tracked_time: null,
  old_title: "",
  new_title: "",
  old_ref: "",
  new_ref: "",
  ref_issue: null,
  ref_comment: null,
  ref_action: "none",
  ref_commit_sha: "",
  review_id: 0,
  label: null,
  assignee: null,
  assignee_team: null,
  removed_assignee: false,
  resolve_doer: null,
  dependent_issue: null,
} as const;
