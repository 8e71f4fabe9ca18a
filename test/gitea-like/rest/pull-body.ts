import type { Account } from "#core/model/account.ts";
import { readPullDiff } from "#forge-like/pull-diff.ts";
import { time } from "#forge-like/time.ts";
import { headRefOf } from "#forges/sandbox/detect-pushes.ts";
import { mergeabilityOf } from "#forges/sandbox/mergeability.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { findTip } from "#forges/sandbox/world.ts";
import { isWorkInProgress, titleOf } from "#gitea-like/draft-title.ts";
import { changedAtOf, commentCountOf } from "#gitea-like/pull-figures.ts";
import { labelBodies } from "#gitea-like/rest/label-body.ts";
import { forkBody, repositoryBody } from "#gitea-like/rest/repository-body.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import { isSuperseded } from "#gitea-like/reviews.ts";
import type { PullSight } from "#gitea-like/sight.ts";

/** With its size, which a list does not tell. */
export async function pullBody(pull: PullSight): Promise<object> {
  const { sight } = pull;
  const files = (await readPullDiff(pull))?.diff.files ?? [];
  const sum = (field: "addedLines" | "removedLines") => files.reduce((total, file) => total + file[field], 0);
  const size = { additions: sum("addedLines"), deletions: sum("removedLines"), changed_files: files.length };
  const { version } = sight;
  return {
    ...(await listedPullBody(pull)),
    ...(version.isFrom(22) && size),
    // Lists that were never begun are null, and begun for one pull alone.
    ...(version.isFrom(23) && {
      assignees: [],
      requested_reviewers: reviewersOf(pull, "any").map((account) => userBody(sight, account)),
      requested_reviewers_teams: [],
    }),
  };
}

export async function listedPullBody(pull: PullSight): Promise<object> {
  const { sight, entry, state } = pull;
  const { merged } = state;
  const { version } = sight;
  const reviewers = reviewersOf(pull, "verdicts").map((account) => userBody(sight, account));
  const closedAt = closedTime(pull);
  const page = pullPage(pull);
  return {
    id: Number(entry.ref.repository.id) * 10_000 + entry.ref.number,
    url: page,
    number: entry.ref.number,
    user: userBody(sight, state.author),
    title: titleOf(state),
    body: state.body,
    labels: labelBodies(sight, entry.repository, state.labels),
    milestone: null,
    assignee: null,
    assignees: null,
    requested_reviewers: reviewers.length === 0 ? null : reviewers,
    ...(version.isFrom(23) && { requested_reviewers_teams: null }),
    state: state.state === "open" ? "open" : "closed",
    ...(version.isFrom(22) && { draft: isWorkInProgress(state) }),
    is_locked: false,
    comments: commentCountOf(pull),
    // It is left out where it is 0.
    ...(version.isFrom(22) && state.threads.length > 0 && { review_comments: remarkCount(state) }),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    mergeable: await isMergeable(pull),
    merged: merged !== null,
    merged_at: merged === null ? null : time(merged.at),
    merge_commit_sha: merged?.commit ?? null,
    merged_by: merged === null ? null : userBody(sight, merged.by),
    allow_maintainer_edit: false,
    base: baseBody(pull),
    head: headBody(pull),
    merge_base: state.base.tip,
    due_date: null,
    created_at: time(state.createdAt),
    updated_at: time(changedAtOf(pull)),
    closed_at: closedAt,
    pin_order: 0,
    ...(version.isFrom(26) && { content_version: state.bodyEdits.length }),
  };
}

/** Not only who was asked, but everybody who has answered: in a list those with a verdict, else all. */
function reviewersOf(pull: PullSight, wanted: "verdicts" | "any"): readonly Account[] {
  const { reviews, requests } = pull.state;
  const counted = reviews.filter(
    ({ state }) => state.kind === "submitted" && (wanted === "any" || state.event !== "comment"),
  );
  const answered = counted.filter((review) => !isSuperseded(pull, review)).map(({ author }) => author);
  return [...new Map([...requests.map(({ of }) => of), ...answered].map((account) => [account.id, account])).values()];
}

/** Where people look at it; the API gives it out as its address too. */
export function pullPage({ sight, entry }: PullSight): string {
  return `${sight.url}/${entry.ref.repository.name}/pulls/${entry.ref.number}`;
}

function remarkCount({ threads }: PullState): number {
  return threads.reduce((count, { comments }) => count + comments.length, 0);
}

/** Not known yet and "no" are the same word, and so is a draft; what was merged could be. */
async function isMergeable({ sight, entry, state }: PullSight): Promise<boolean> {
  if (isWorkInProgress(state)) return false;
  if (state.merged !== null) return true;
  return (await mergeabilityOf(sight.world, entry, { state, at: sight.at })) === "mergeable";
}

/** The sandbox keeps no time of closing but that of a merge. */
export function closedTime({ state }: PullSight): string | null {
  if (state.state === "open") return null;
  return time(state.merged?.at ?? state.changedAt);
}

function baseBody({ sight, entry, state }: PullSight): object {
  const { branch, tip } = state.base;
  return {
    label: branch,
    ref: branch,
    sha: state.merged === null ? tip : (findTip(entry.repository, branch) ?? tip),
    repo_id: Number(entry.ref.repository.id),
    repo: repositoryBody(sight, entry.repository),
  };
}

/** A branch that is gone is named by the ref that stays. */
function headBody({ sight, entry, state }: PullSight): object {
  const { sha, branch, isFork } = state.head;
  const isThere = findTip(entry.repository, branch) !== undefined;
  const repo = isFork ? forkBody(sight, entry.repository, state.author) : repositoryBody(sight, entry.repository);
  return { label: branch, ref: isThere ? branch : headRefOf(entry.ref.number), sha, repo_id: repo.id, repo };
}
