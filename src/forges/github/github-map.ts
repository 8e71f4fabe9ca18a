import { readRemarkedText } from "#core/diff/remarked-text.ts";
import type { Account } from "#core/model/account.ts";
import type { Comment, Reaction, Review, Thread } from "#core/model/conversation.ts";
import { AccountId, ReviewId, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { BodyEdit, Pull } from "#core/model/pull.ts";
import { commentIdOf } from "#forges/github/github-comment-id.ts";
import type { PullNode } from "#forges/github/github-pull-schema.ts";
import {
  Actor,
  type EditNode,
  type LabelNode,
  type ReactionNode,
  type RemarkNode,
  type RestUser,
  type ReviewNode,
  type ThreadNode,
  type ThreadRemarkNode,
} from "#forges/github/github-schema.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

/** Its number on github.com is a user's on an Enterprise server, whose permissions the deleted account would get. */
const ghost: Account = { id: AccountId.parse("ghost"), login: "ghost", kind: "person" };

export function readUser({ id, login, type }: RestUser): Account {
  return { id: AccountId.parse(id), login, kind: type === "Bot" ? "bot" : "person" };
}

/** GraphQL leaves out the ending that all else writes behind a bot's name. */
export function readActor(actor: Actor): Account {
  if (actor === null) return ghost;
  const { type, login, databaseId } = actor;
  const kind = type === "Bot" ? "bot" : "person";
  // Without a number there is nothing to compare by: such an account has no grants.
  const id = AccountId.parse(databaseId ?? `${type}:${login}`);
  return { id, login: kind === "bot" && !login.endsWith(botEnding) ? login + botEnding : login, kind };
}

const botEnding = "[bot]";

interface PullExtras {
  readonly edits: readonly EditNode[];
  readonly labels: readonly LabelNode[];
  readonly pushedAt: Instant | null;
}

export function readPull(repository: RepositoryRef, pull: PullNode, { edits, labels, pushedAt }: PullExtras): Pull {
  return {
    repository,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    bodyEdits: readEdits(edits),
    author: readActor(pull.author),
    createdAt: pull.createdAt,
    state: pull.state === "MERGED" ? "merged" : pull.state === "OPEN" ? "open" : "closed",
    isDraft: pull.isDraft,
    head: {
      sha: pull.headRefOid,
      branch: pull.headRefName,
      isFork: pull.isCrossRepository,
      pushedAt,
      patch: null,
    },
    base: { branch: pull.baseRefName, since: basedSince(pull) },
    labels: labels.map(({ name }) => name),
    mergeability: { kind: mergeabilities.get(pull.mergeable) ?? "unknown" },
    requestedReviewers: readRequests(pull),
  };
}

const mergeabilities: ReadonlyMap<string, Pull["mergeability"]["kind"]> = new Map([
  ["MERGEABLE", "mergeable"],
  ["CONFLICTING", "conflicting"],
]);

/** Null if the last reported change led to another value: then it is unknown. */
function basedSince({ baseChanges, baseRefName, createdAt }: PullNode): Instant | null {
  const last = baseChanges.nodes.at(-1);
  if (last === undefined) return createdAt;
  return last?.base === baseRefName ? last.createdAt : null;
}

/** GitHub lists the newest first; those of one second keep that order, turned round. */
function readEdits(edits: readonly EditNode[]): readonly BodyEdit[] {
  const oldestFirst = edits.toReversed().sort((a, b) => a.editedAt - b.editedAt);
  return oldestFirst.map(({ editedAt, editor, diff }) => ({
    at: editedAt,
    by: editor === null ? null : readActor(editor).id,
    body: diff,
  }));
}

/** Teams are asked too, and are no accounts. */
function readRequests({ reviewRequests }: PullNode): readonly Account[] {
  const found: Account[] = [];
  for (const { requestedReviewer } of reviewRequests?.nodes ?? []) {
    const asked = Actor.safeParse(requestedReviewer);
    if (asked.success && asked.data !== null) found.push(readActor(asked.data));
  }
  return found;
}

export function readComment(space: "conversation" | "thread", node: RemarkNode): Comment {
  return {
    id: commentIdOf(space, node.fullDatabaseId),
    author: readActor(node.author),
    body: node.body,
    createdAt: node.createdAt,
    editedAt: node.lastEditedAt,
  };
}

const reviewStates: ReadonlyMap<string, Review["state"]> = new Map([
  ["APPROVED", "approved"],
  ["CHANGES_REQUESTED", "changes_requested"],
  ["COMMENTED", "commented"],
  ["DISMISSED", "dismissed"],
  ["PENDING", "pending"],
]);

/** An unknown word is no verdict; its text is still said. */
export function readReview(node: ReviewNode): Review {
  return {
    id: ReviewId.parse(node.fullDatabaseId),
    author: readActor(node.author),
    state: reviewStates.get(node.state) ?? "commented",
    body: node.body,
    submittedAt: node.submittedAt ?? node.createdAt,
    commit: node.commit?.oid ?? null,
  };
}

/** Undefined if all of it is pending, which only the author sees. */
export function readThread(node: ThreadNode, remarks: readonly ThreadRemarkNode[]): Thread | undefined {
  const shown = remarks.filter(({ state }) => state !== "PENDING");
  if (shown.length === 0) return undefined;
  const { id, path, line, isResolved } = node;
  const comments = shown.map((remark) => readComment("thread", remark));
  return { id: ThreadId.parse(id), path, line, remarked: readRemarked(node, shown[0]), isResolved, comments };
}

/** A range that begins on one side and ends on the other has no lines of its own on either. */
function readRemarked(node: ThreadNode, remark: ThreadRemarkNode | undefined): Thread["remarked"] {
  const { originalLine: last, originalStartLine, diffSide, startDiffSide } = node;
  const commit = remark?.originalCommit?.oid;
  if (last === null || diffSide === null || commit === undefined) return null;
  if (originalStartLine !== null && startDiffSide !== diffSide) return null;
  const side = diffSide === "LEFT" ? "old" : "new";
  const lines = { side, first: originalStartLine ?? last, last } as const;
  return { commit, ...lines, text: readRemarkedText(remark?.diffHunk ?? "", lines) };
}

const contents: ReadonlyMap<string, Reaction["content"]> = new Map([
  ["THUMBS_UP", "+1"],
  ["THUMBS_DOWN", "-1"],
  ["LAUGH", "laugh"],
  ["HOORAY", "hooray"],
  ["CONFUSED", "confused"],
  ["HEART", "heart"],
  ["ROCKET", "rocket"],
  ["EYES", "eyes"],
]);

export function reactionWord(content: Reaction["content"]): string | undefined {
  return [...contents].find(([, known]) => known === content)?.[0];
}

/** Undefined for an unknown emoji, and for a deleted account: neither can approve anything. */
export function readReaction({ content, createdAt, user }: ReactionNode): Reaction | undefined {
  const known = contents.get(content);
  if (known === undefined || user === null) return undefined;
  return { author: readActor(user), content: known, createdAt };
}
