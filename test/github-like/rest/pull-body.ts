import { readPullDiff } from "#forge-like/pull-diff.ts";
import { time } from "#forge-like/time.ts";
import { mergeabilityOf } from "#forges/sandbox/mergeability.ts";
import { type AutoMerge, pullKey } from "#github-like/extras.ts";
import { nodeId } from "#github-like/node-id.ts";
import { associationOf, pullHtml, visibleThreads } from "#github-like/rest/comment-body.ts";
import { forkBody, ownerOf, repositoryBody, repositoryUrl } from "#github-like/rest/repository-body.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import type { PullSight, Sight } from "#github-like/sight.ts";

/** As lists have it. */
export function simplePullBody(pull: PullSight): object {
  const { sight, entry, state } = pull;
  const { repository, ref } = entry;
  const { merged } = state;
  const autoMerge = sight.extras.autoMerges.get(pullKey(ref.repository.id, ref.number));
  const owner = ownerOf(sight, repository);
  return {
    ...addresses(pull),
    id: pullNumber(pull),
    node_id: pullNode(pull),
    number: ref.number,
    state: state.state === "open" ? "open" : "closed",
    locked: false,
    title: state.title,
    user: userBody(sight, state.author),
    body: state.body,
    labels: state.labels.map((name) => labelBody(sight, ref.repository, name)),
    milestone: null,
    active_lock_reason: null,
    created_at: time(state.createdAt),
    updated_at: time(state.changedAt),
    closed_at: state.state === "open" ? null : time(merged?.at ?? state.changedAt),
    merged_at: merged === null ? null : time(merged.at),
    merge_commit_sha: merged?.commit ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: state.requests.map(({ of }) => userBody(sight, of)),
    requested_teams: [],
    head: {
      label: `${state.author.login}:${state.head.branch}`,
      ref: state.head.branch,
      sha: state.head.sha,
      user: state.head.isFork ? userBody(sight, state.author) : owner,
      repo: state.head.isFork ? forkBody(sight, repository, state.author) : repositoryBody(sight, repository),
    },
    base: {
      label: `${ref.repository.name.split("/")[0]}:${state.base.branch}`,
      ref: state.base.branch,
      sha: state.base.tip,
      user: owner,
      repo: repositoryBody(sight, repository),
    },
    author_association: associationOf(repository, state.author),
    auto_merge: autoMerge === undefined ? null : autoMergeBody(sight, autoMerge),
    draft: state.isDraft,
  };
}

/** As it is told alone. */
export async function pullBody(pull: PullSight): Promise<object> {
  const { sight, entry, state } = pull;
  const mergeable = await mergeabilityOf(sight.world, entry, { state, at: sight.at });
  const files = (await readPullDiff(pull))?.diff.files ?? [];
  return {
    ...simplePullBody(pull),
    merged: state.merged !== null,
    mergeable: mergeable === "unknown" ? null : mergeable === "mergeable",
    rebaseable: mergeable === "unknown" ? null : mergeable === "mergeable",
    mergeable_state: stateWord(mergeable, state.isDraft),
    merged_by: state.merged === null ? null : userBody(sight, state.merged.by),
    comments: state.comments.length,
    review_comments: visibleThreads(pull).reduce((sum, { comments }) => sum + comments.length, 0),
    maintainer_can_modify: false,
    commits: state.heads.length,
    additions: files.reduce((sum, { addedLines }) => sum + addedLines, 0),
    deletions: files.reduce((sum, { removedLines }) => sum + removedLines, 0),
    changed_files: files.length,
  };
}

function stateWord(mergeable: "unknown" | "mergeable" | "conflicting", isDraft: boolean): string {
  if (mergeable === "unknown") return "unknown";
  if (mergeable === "conflicting") return "dirty";
  return isDraft ? "draft" : "clean";
}

/** Pulls are numbered over the whole forge, too; the sandbox does not do it. */
export function pullNumber({ entry: { ref } }: PullSight): number {
  return Number(ref.repository.id) * 10_000 + ref.number;
}

export function pullNode({ entry: { ref } }: PullSight): string {
  return nodeId("PR", ref.repository.id, ref.number);
}

export function labelBody(
  sight: Sight,
  repository: { readonly id: string; readonly name: string },
  name: string,
): object {
  return {
    id: labelNumber(name),
    node_id: nodeId("LA", repository.id, name),
    url: `${repositoryUrl(sight, repository.name)}/labels/${encodeURIComponent(name)}`,
    name,
    description: "",
    color: "ededed",
    default: false,
  };
}

/** Labels have no id in the sandbox; the same name gives the same number. */
function labelNumber(name: string): number {
  let number = 7;
  for (const character of name) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007;
  return number;
}

function autoMergeBody(sight: Sight, { by, method }: AutoMerge): object {
  return { enabled_by: userBody(sight, by), merge_method: method.toLowerCase(), commit_title: "", commit_message: "" };
}

function addresses({ sight, entry, state }: PullSight): object {
  const { ref } = entry;
  const at = repositoryUrl(sight, ref.repository.name);
  const pull = `${at}/pulls/${ref.number}`;
  const issue = `${at}/issues/${ref.number}`;
  const html = pullHtml(sight, entry);
  const urls = {
    html_url: html,
    issue_url: issue,
    comments_url: `${issue}/comments`,
    review_comments_url: `${pull}/comments`,
    review_comment_url: `${at}/pulls/comments{/number}`,
    commits_url: `${pull}/commits`,
    statuses_url: `${at}/statuses/${state.head.sha}`,
  };
  return {
    ...urls,
    url: pull,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    _links: {
      self: { href: pull },
      html: { href: html },
      issue: { href: issue },
      comments: { href: urls.comments_url },
      review_comments: { href: urls.review_comments_url },
      review_comment: { href: urls.review_comment_url },
      commits: { href: urls.commits_url },
      statuses: { href: urls.statuses_url },
    },
  };
}
