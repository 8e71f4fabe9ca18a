import { z } from "zod";
import { fieldTree } from "#forges/field-tree.ts";
import type { EventReader } from "#forges/read-webhook.ts";
import { pullEvent, repositoryFields, WebhookRepository } from "#forges/webhook-body.ts";
import { PullNumber } from "#forges/webhook-names.ts";

/** By the fine word. `pull_request…` holds the pull, except in comments; so do unknown words that begin like this. */
export function giteaEventReader(event: string): EventReader {
  const reader = readers.get(event);
  if (reader !== undefined) return reader;
  if (event.startsWith("pull_request")) return pullEvent;
  return commitWord.test(event) ? "commit_only" : "unrelated_event";
}

/** A tick for Drover's own comment or review would find nothing new; its pushes are ticked. */
export function isOwnActivity(isAccount: (id: string) => boolean, event: string, body: unknown): boolean {
  if (!deed.test(event)) return false;
  const done = Deed.safeParse(body);
  return done.success && isAccount(String(done.data.sender.id));
}

const deed = /^(?:issue_comment|pull_request_comment|pull_request_review_(?:approved|rejected|comment))$/;

/** Gitea's own Actions have a number below zero. */
const Deed = z.object({ sender: z.object({ id: z.int() }) });

/** `pull_request_comment` is coarse for a review and fine for a conversation comment, so never mix them. */
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

/** A test delivery is a push. */
const readers: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ["issue_comment", commentEvent],
  ["pull_request_comment", commentEvent],
]);

/** Newer versions send runs and jobs of Actions; Forgejo has a name for each outcome. */
const commitWord = /^(?:status|push|workflow_run|workflow_job|action_run)(?:_|$)/;
