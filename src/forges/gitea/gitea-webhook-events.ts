import { z } from "zod";
import { fieldTree } from "#forges/field-tree.ts";
import type { EventReader } from "#forges/read-webhook.ts";
import { PullNumber, pullEvent, repositoryFields, WebhookRepository } from "#forges/webhook-body.ts";

export function giteaEventReader(event: string): EventReader {
  // `pull_request`, and the reviews of one: `pull_request_approved`, `_rejected`, `_comment`. No review has its id.
  return event.startsWith("pull_request") ? pullEvent : (readers.get(event) ?? "unrelated_event");
}

const CommentBody = z.object({
  repository: WebhookRepository,
  issue: z.object({ number: PullNumber }),
  is_pull: z.boolean(),
});

const commentEvent: EventReader = {
  wanted: fieldTree([...repositoryFields, "issue.number", "is_pull"]),
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
  ["status", "commit_only"],
  ["workflow_run", "commit_only"],
  ["workflow_job", "commit_only"],
  ["push", "commit_only"],
]);
