import { time } from "#forge-like/time.ts";
import type { StatusState } from "#forges/sandbox/pull-state.ts";
import { newestOf, type Repository } from "#forges/sandbox/world.ts";
import { checkRunOf } from "#github-like/check-runs.ts";
import { nodeId } from "#github-like/node-id.ts";
import { reactionNumber } from "#github-like/reaction-number.ts";
import { integrationBody } from "#github-like/rest/app-body.ts";
import { repositoryUrl } from "#github-like/rest/repository-body.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import type { Sight } from "#github-like/sight.ts";

export function checkRunBody(sight: Sight, repository: Repository, status: StatusState): object {
  const { id, extra } = checkRunOf(sight, repository, status);
  const url = `${repositoryUrl(sight, repository.ref.name)}/check-runs/${id}`;
  const at = time(status.at);
  const isDone = status.state !== "pending";
  return {
    id,
    node_id: nodeId("CR", repository.ref.id, id),
    head_sha: status.commit,
    name: status.name,
    external_id: extra.externalId,
    url,
    html_url: `${sight.url}/${repository.ref.name}/runs/${id}`,
    details_url: extra.detailsUrl,
    status: isDone ? "completed" : "in_progress",
    conclusion: status.state === "pending" ? null : conclusions[status.state],
    started_at: at,
    completed_at: isDone ? at : null,
    output: {
      title: extra.title,
      summary: status.words,
      text: extra.text,
      annotations_count: extra.annotations,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: Number(status.by.id) },
    app: integrationBody(sight, status.by),
    pull_requests: pullsAt(sight, repository, status),
  };
}

const conclusions = { passed: "success", failed: "failure", neutral: "neutral" } as const;

/** The open pulls whose head it is, from this repository alone: those of forks are not told. */
function pullsAt(sight: Sight, repository: Repository, { commit }: StatusState): readonly object[] {
  const at = repositoryUrl(sight, repository.ref.name);
  const repo = { id: Number(repository.ref.id), url: at, name: repository.ref.name.split("/")[1] ?? "" };
  return [...repository.pulls.values()].flatMap((entry) => {
    const { state, head, base } = newestOf(entry);
    if (state !== "open" || head.sha !== commit || head.isFork) return [];
    const { number } = entry.ref;
    return {
      id: Number(repository.ref.id) * 10_000 + number,
      number,
      url: `${at}/pulls/${number}`,
      head: { ref: head.branch, sha: head.sha, repo },
      base: { ref: base.branch, sha: base.tip, repo },
    };
  });
}

export function simpleStatusBody(sight: Sight, repository: Repository, status: StatusState): object {
  const { commit, by, name, state, words, at } = status;
  return {
    id: reactionNumber(commit, by.id, name),
    node_id: nodeId("SC", repository.ref.id, commit, by.id, name),
    url: `${repositoryUrl(sight, repository.ref.name)}/statuses/${commit}`,
    avatar_url: `${sight.url}/avatars/${by.id}`,
    state: stateWords[state],
    description: words,
    target_url: null,
    context: name,
    created_at: time(at),
    updated_at: time(at),
  };
}

const stateWords = { passed: "success", neutral: "success", failed: "failure", pending: "pending" } as const;

export function statusBody(sight: Sight, repository: Repository, status: StatusState): object {
  return { ...simpleStatusBody(sight, repository, status), creator: userBody(sight, status.by) };
}
