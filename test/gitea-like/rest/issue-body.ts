import { time } from "#forge-like/time.ts";
import { isWorkInProgress, titleOf } from "#gitea-like/draft-title.ts";
import { changedAtOf, commentCountOf } from "#gitea-like/pull-figures.ts";
import { labelBodies } from "#gitea-like/rest/label-body.ts";
import { closedTime, pullPage } from "#gitea-like/rest/pull-body.ts";
import { repositoryUrl } from "#gitea-like/rest/repository-body.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import type { PullSight } from "#gitea-like/sight.ts";

/** A pull as the issue that it is too. */
export function issueBody(pull: PullSight): object {
  const { sight, entry, state } = pull;
  const { repository, number } = entry.ref;
  const { version } = sight;
  const [owner = "", name = ""] = repository.name.split("/");
  return {
    id: Number(repository.id) * 10_000 + number,
    url: `${repositoryUrl(sight, repository.name)}/issues/${number}`,
    html_url: pullPage(pull),
    number,
    user: userBody(sight, state.author),
    original_author: "",
    original_author_id: 0,
    title: titleOf(state),
    body: state.body,
    ref: "",
    assets: [],
    labels: labelBodies(sight, entry.repository, state.labels),
    milestone: null,
    assignee: null,
    assignees: null,
    state: state.state === "open" ? "open" : "closed",
    is_locked: false,
    comments: commentCountOf(pull),
    created_at: time(state.createdAt),
    updated_at: time(changedAtOf(pull)),
    closed_at: closedTime(pull),
    due_date: null,
    ...(version.isFrom(24) && { time_estimate: 0 }),
    pull_request: {
      merged: state.merged !== null,
      merged_at: state.merged === null ? null : time(state.merged.at),
      ...(version.isFrom(22) && { draft: isWorkInProgress(state), html_url: pullPage(pull) }),
    },
    repository: { id: Number(repository.id), name, owner, full_name: repository.name },
    pin_order: 0,
    ...(version.isFrom(26) && { content_version: state.bodyEdits.length, projects: null }),
  };
}
