import type { Account } from "#core/model/account.ts";
import { kindByName } from "#core/model/bot-name.ts";
import type { Comment, Reaction } from "#core/model/conversation.ts";
import { AccountId, CommentId, HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import type { GiteaPull, GiteaReaction, GiteaReview, GiteaUser, TimelineEntry } from "#forges/gitea/gitea-schema.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

/** Gitea's own stand-in for accounts that are gone. */
const ghost: Account = { id: AccountId.parse("-1"), login: "Ghost", kind: "person" };

/** Gitea does not tell bots: a name and the operator's list do. */
export function readUser(user: GiteaUser | null): Account {
  return user === null ? ghost : { id: AccountId.parse(user.id), login: user.login, kind: kindByName(user.login) };
}

export interface PullExtras {
  readonly pushedAt: Instant | null;
  readonly basedSince: Instant | null;
  readonly mergeability: Pull["mergeability"];
  readonly reviews: readonly GiteaReview[];
}

/** Undefined for the head where Gitea does not find it. */
export function readPull(repository: RepositoryRef, pull: GiteaPull, extras: PullExtras): Pull | undefined {
  const sha = HeadSha.safeParse(pull.head.sha);
  if (!sha.success) return undefined;
  return {
    repository,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    bodyEdits: [],
    author: readUser(pull.user),
    createdAt: pull.created_at,
    state: pull.merged ? "merged" : pull.state === "open" ? "open" : "closed",
    isDraft: isDraft(pull),
    head: {
      sha: sha.data,
      branch: pull.head.label === "" ? pull.head.ref : pull.head.label,
      isFork: isFork(pull),
      pushedAt: extras.pushedAt,
      patch: null,
    },
    base: { branch: pull.base.ref, since: extras.basedSince },
    labels: pull.labels,
    mergeability: extras.mergeability,
    requestedReviewers: readRequests(extras.reviews),
  };
}

/** Gitea's default prefixes. Where its operator chose others, only the field tells. */
const draftTitle = /^\s*(?:wip:|\[wip\])/i;

export function isDraft({ draft, title }: Pick<GiteaPull, "draft" | "title">): boolean {
  return draft === true || draftTitle.test(title);
}

/** A push without a branch may come from any reader: it counts as none. */
function isFork({ head, base }: GiteaPull): boolean {
  return head.repo_id !== base.repo_id || head.label === "";
}

/** The pull's own list names all reviewers ever. An open request is a review, which the answer mostly removes. */
function readRequests(reviews: readonly GiteaReview[]): readonly Account[] {
  const asked = new Map<string, { readonly account: Account; readonly review: number }>();
  for (const { id, user, state } of reviews) {
    if (state === "REQUEST_REVIEW" && user !== null)
      asked.set(user.id, { account: readUser(user), review: Number(id) });
  }
  for (const { id, user, state } of reviews) {
    const request = asked.get(user?.id ?? "");
    if (state !== "REQUEST_REVIEW" && state !== "PENDING" && Number(id) > (request?.review ?? 0)) {
      asked.delete(user?.id ?? "");
    }
  }
  return [...asked.values()].map(({ account }) => account);
}

type Told = Pick<TimelineEntry, "user" | "body" | "created_at" | "updated_at"> & { readonly id: string | number };

export function readComment({ id, user, body, created_at, updated_at }: Told): Comment {
  return {
    id: CommentId.parse(String(id)),
    author: readUser(user),
    body,
    createdAt: created_at,
    editedAt: updated_at > created_at ? updated_at : null,
  };
}

const contents: ReadonlySet<string> = new Set<Reaction["content"]>([
  "+1",
  "-1",
  "laugh",
  "hooray",
  "confused",
  "heart",
  "rocket",
  "eyes",
]);

function isContent(content: string): content is Reaction["content"] {
  return contents.has(content);
}

/** Undefined for a picture that means nothing to us: an operator may allow any. */
export function readReaction({ user, content, created_at }: GiteaReaction): Reaction | undefined {
  return isContent(content) ? { author: readUser(user), content, createdAt: created_at } : undefined;
}
