import type { Account } from "#core/model/account.ts";
import type { Comment } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import type { Sandbox, SandboxChange, SandboxDelivery, SandboxPull } from "#forges/sandbox/sandbox.ts";
import { isWorkInProgress, titleOf } from "#gitea-like/draft-title.ts";
import { longAgo, userBody } from "#gitea-like/rest/user-body.ts";
import type { GiteaLike } from "#gitea-like/serve-gitea-like.ts";
import type { GiteaVersion } from "#gitea-like/version.ts";

interface Happened {
  readonly url: string;
  readonly version: GiteaVersion;
  readonly seen: SandboxPull;
  /** The change that the delivery tells of. */
  readonly last: SandboxChange | undefined;
  readonly delivery: SandboxDelivery;
}

/** Called while the change that a delivery tells of is still the last one. */
export function webhookBody(sandbox: Sandbox, { url, version }: GiteaLike, delivery: SandboxDelivery): object {
  const { action, event, pull: ref } = delivery;
  const seen = sandbox.look(ref);
  const last = sandbox.history.findLast(({ repository }) => repository.id === ref.repository.id);
  const happened: Happened = { url, version, seen, last, delivery };
  const rest = { repository: repositoryOf(happened), sender: person(happened, last?.by ?? seen.pull.author) };
  if (event === "issue_comment") {
    return {
      action,
      issue: issueOf(happened),
      comment: commentOf(happened),
      ...changesOf(happened),
      ...rest,
      is_pull: true,
    };
  }
  return {
    action,
    number: ref.number,
    ...changesOf(happened),
    pull_request: pullOf(happened),
    requested_reviewer: reviewerOf(happened),
    ...rest,
    commit_id: "",
    review: reviewOf(happened),
  };
}

/** Nobody in particular is told. */
function person({ url, version }: Happened, account: Account): object {
  return userBody({ url, version, asker: { ...account, id: nobody } }, account);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an id that nobody has.
const nobody = "0" as Account["id"];

function repositoryOf({ url, seen }: Happened): object {
  const { id, name: full } = seen.ref.repository;
  const [owner = "", name = ""] = full.split("/");
  return {
    id: Number(id),
    owner: { id: 0, login: owner, username: owner },
    name,
    full_name: full,
    description: "",
    empty: false,
    private: false,
    fork: false,
    html_url: `${url}/${full}`,
    url: `${url}/api/v1/repos/${full}`,
    clone_url: `${url}/${full}.git`,
    default_branch: "main",
    created_at: longAgo,
    updated_at: longAgo,
    permissions: { admin: false, push: false, pull: true },
  };
}

function pageOf({ url, seen }: Happened): string {
  return `${url}/${seen.ref.repository.name}/pulls/${seen.ref.number}`;
}

/** What pull and issue have in common. */
function titled(happened: Happened): object {
  const { pull, ref, comments } = happened.seen;
  return {
    id: Number(ref.repository.id) * 10_000 + ref.number,
    number: ref.number,
    user: person(happened, pull.author),
    title: titleOf(pull),
    body: pull.body,
    labels: pull.labels.map((name) => ({ name })),
    state: pull.state === "open" ? "open" : "closed",
    is_locked: false,
    comments: comments.length,
    html_url: pageOf(happened),
    created_at: time(pull.createdAt),
  };
}

function pullOf(happened: Happened): object {
  const { pull, merged } = happened.seen;
  const repo = repositoryOf(happened);
  return {
    ...titled(happened),
    url: pageOf(happened),
    requested_reviewers: pull.requestedReviewers.map((account) => person(happened, account)),
    draft: isWorkInProgress(pull),
    mergeable: pull.mergeability.kind === "mergeable",
    merged: merged !== null,
    merged_at: merged === null ? null : time(merged.at),
    merge_commit_sha: merged?.commit ?? null,
    base: { label: pull.base.branch, ref: pull.base.branch, repo },
    head: { label: pull.head.branch, ref: pull.head.branch, sha: pull.head.sha, repo },
  };
}

function issueOf(happened: Happened): object {
  const { pull, merged, ref } = happened.seen;
  const [owner = "", name = ""] = ref.repository.name.split("/");
  return {
    ...titled(happened),
    url: `${happened.url}/api/v1/repos/${ref.repository.name}/issues/${ref.number}`,
    pull_request: { merged: merged !== null, merged_at: merged === null ? null : time(merged.at), draft: pull.isDraft },
    repository: { id: Number(ref.repository.id), name, owner, full_name: ref.repository.name },
  };
}

/** The one that the change is about: plain, in a thread, or the text of a review. */
function commentOf(happened: Happened): object {
  const { seen, last } = happened;
  const what = last?.what;
  const id = what !== undefined && "comment" in what ? what.comment : null;
  const known: readonly Comment[] = [...seen.comments, ...seen.threads.flatMap(({ comments }) => comments)];
  const found = known.find((comment) => comment.id === id);
  const body = found?.body ?? (what?.kind === "review_edited" ? what.body : "");
  const author = found?.author ?? last?.by ?? seen.pull.author;
  return {
    id: id === null ? 0 : Number(id),
    html_url: id === null ? "" : `${pageOf(happened)}#issuecomment-${id}`,
    pull_request_url: pageOf(happened),
    issue_url: "",
    user: person(happened, author),
    body,
    assets: [],
    created_at: time(found?.createdAt ?? happened.delivery.at),
    updated_at: time(found?.editedAt ?? found?.createdAt ?? happened.delivery.at),
  };
}

/** What an edit replaced. */
function changesOf({ last, delivery }: Happened): object {
  const what = last?.what;
  if (delivery.action !== "edited" || what === undefined) return {};
  if (what.kind === "comment_edited" || what.kind === "review_edited")
    return { changes: { body: { from: what.before } } };
  if (what.kind !== "pull_edited" || what.faces === undefined) return {};
  const { before, after } = what.faces;
  const isTitle = titleOf(before) !== titleOf(after);
  return {
    changes: {
      ...(isTitle && { title: { from: titleOf(before) } }),
      ...(before.base !== after.base && { ref: { from: before.base } }),
    },
  };
}

function reviewerOf(happened: Happened): object | null {
  const what = happened.last?.what;
  const [asked] = what?.kind === "review_requested" ? what.of : [];
  return asked === undefined ? null : person(happened, asked);
}

/** Its kind and its text, and not which one it is. */
function reviewOf({ last, delivery }: Happened): object | null {
  if (delivery.action !== "reviewed") return null;
  const type = reviewTypes.get(delivery.event) ?? delivery.event;
  return { type, content: last?.what.kind === "reviewed" ? last.what.body : "" };
}

const reviewTypes: ReadonlyMap<string, string> = new Map([
  ["pull_request_approved", "pull_request_review_approved"],
  ["pull_request_rejected", "pull_request_review_rejected"],
  ["pull_request_comment", "pull_request_review_comment"],
]);
