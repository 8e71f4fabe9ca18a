import { z } from "zod";
import { fieldTree } from "#forges/field-tree.ts";
import type { EventReader } from "#forges/read-webhook.ts";
import { pullEvent, repositoryFields, WebhookRepository } from "#forges/webhook-body.ts";
import { PullNumber } from "#forges/webhook-names.ts";

/**
 * By the fine word. An event that begins with `pull_request` has the pull itself in it, except for comments of its
 * conversation. There are opened, edited, closed, `_sync`, `_assign`, `_label`, `_milestone`, `_review_request` and
 * the reviews, none of which has its id. An unknown word that begins so counts as one of them.
 */
export function giteaEventReader(event: string): EventReader {
  const reader = readers.get(event);
  if (reader !== undefined) return reader;
  if (event.startsWith("pull_request")) return pullEvent;
  return commitWord.test(event) ? "commit_only" : "unrelated_event";
}

/**
 * Comments and reviews, edited texts of reviews included. A tick for one of Drover's own would only find what Drover
 * wrote. A push is ticked, by any account.
 */
export function isOwnActivity(isAccount: (id: string) => boolean, event: string, body: unknown): boolean {
  if (!deed.test(event)) return false;
  const done = Deed.safeParse(body);
  return done.success && isAccount(String(done.data.sender.id));
}

const deed = /^(?:issue_comment|pull_request_comment|pull_request_review_(?:approved|rejected|comment))$/;

/** Gitea's own Actions have a number below zero. */
const Deed = z.object({ sender: z.object({ id: z.int() }) });

/**
 * What a coarse word is called finely, for senders that have no fine ones. `pull_request_comment` stands for a review
 * among the coarse and for a comment of the conversation among the fine, so they must not be mixed.
 */
export function fineWord(coarse: string): string {
  return fineWords.get(coarse) ?? coarse;
}

const fineWords: ReadonlyMap<string, string> = new Map([
  ["pull_request_approved", "pull_request_review_approved"],
  ["pull_request_rejected", "pull_request_review_rejected"],
  ["pull_request_comment", "pull_request_review_comment"],
]);

const CommentBody = z.object({
  repository: WebhookRepository,
  issue: z.object({ number: PullNumber }),
  is_pull: z.boolean(),
});

const commentEvent: EventReader = {
  wanted: fieldTree([...repositoryFields, "issue.number", "issue.user.id", "is_pull"]),
  pullsOf: (body) => {
    const found = CommentBody.safeParse(body);
    if (!found.success) return undefined;
    const { repository, issue, is_pull: isPull } = found.data;
    return isPull ? [{ repository, number: issue.number }] : "issue_comment";
  },
};

/** No delivery says that it is a test: the button in the settings of a hook sends a push. */
const readers: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ["issue_comment", commentEvent],
  ["pull_request_comment", commentEvent],
]);

/** Runs and jobs of Actions are told by newer versions, by those of Forgejo under a name for each outcome. */
const commitWord = /^(?:status|push|workflow_run|workflow_job|action_run)(?:_|$)/;
