import type { Comment } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import { pullPage } from "#gitea-like/rest/pull-body.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import type { PullSight } from "#gitea-like/sight.ts";

/** Everything that was said on a pull is a comment, of one kind or another, and they are numbered together. */
export function commentBody(pull: PullSight, { id, author, body, createdAt, editedAt }: Comment): object {
  const page = pullPage(pull);
  return {
    id: Number(id),
    html_url: `${page}#issuecomment-${id}`,
    pull_request_url: page,
    issue_url: "",
    user: userBody(pull.sight, author),
    original_author: "",
    original_author_id: 0,
    body,
    assets: [],
    created_at: time(createdAt),
    updated_at: time(editedAt ?? createdAt),
  };
}
