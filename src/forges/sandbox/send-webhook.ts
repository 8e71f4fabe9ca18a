import { never } from "#core/never.ts";
import type { ReviewEvent } from "#forges/sandbox/pull-state.ts";
import type { SandboxDelivery, SandboxManner } from "#forges/sandbox/sandbox.ts";
import type { World } from "#forges/sandbox/world.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** No forge tells reactions. */
export type Happening =
  | { readonly kind: "opened" | "pushed" | "closed" | "reopened" | "labelled" | "review_requested" }
  | { readonly kind: "drafted" | "undrafted" }
  | { readonly kind: "edited"; readonly isBodyOnly: boolean }
  | { readonly kind: "commented" | "comment_edited" | "comment_deleted" }
  | { readonly kind: "reviewed"; readonly event: ReviewEvent; readonly remarks: number }
  | { readonly kind: "review_edited" | "review_dismissed" }
  | { readonly kind: "replied" | "reply_edited" | "reply_deleted" | "resolved" | "unresolved" }
  | { readonly kind: "checked"; readonly form: "status" | "check_run"; readonly isDone: boolean };

export type WebhookName = Pick<SandboxDelivery, "event" | "action">;

export function sendWebhooks(world: World, pull: PullRef, happening: Happening): void {
  for (const name of webhooksOf(world, happening)) {
    const id = `delivery-${world.deliveries.length + 1}`;
    const delivery: SandboxDelivery = { id, at: world.now(), ...name, pull };
    world.deliveries.push(delivery);
    for (const listener of world.listeners) listener(delivery);
  }
}

function webhooksOf({ manner, quirks }: World, happening: Happening): readonly WebhookName[] {
  if (happening.kind === "edited" && happening.isBodyOnly && quirks.hidesBodyEdits) return [];
  const names = namesIn(manner, happening);
  const isDoubled = happening.kind === "opened" && quirks.sendsSpuriousSynchronized;
  return isDoubled ? [...names, ...namesIn(manner, { kind: "pushed" })] : names;
}

function namesIn(manner: SandboxManner, happening: Happening): readonly WebhookName[] {
  return manner === "github" ? githubNames(happening) : giteaNames(happening);
}

function githubNames(happening: Happening): readonly WebhookName[] {
  switch (happening.kind) {
    case "opened":
    case "closed":
    case "reopened":
    case "edited":
    case "review_requested":
      return pullRequest(happening.kind);
    case "pushed":
      return pullRequest("synchronize");
    case "labelled":
      return pullRequest("labeled");
    case "drafted":
      return pullRequest("converted_to_draft");
    case "undrafted":
      return pullRequest("ready_for_review");
    case "commented":
    case "comment_edited":
    case "comment_deleted":
      return [{ event: "issue_comment", action: commentActions[happening.kind] }];
    case "reviewed":
      return [
        { event: "pull_request_review", action: "submitted" },
        ...Array.from({ length: happening.remarks }, () => reviewComment("created")),
      ];
    case "review_edited":
      return [{ event: "pull_request_review", action: "edited" }];
    case "review_dismissed":
      return [{ event: "pull_request_review", action: "dismissed" }];
    case "replied":
      return [reviewComment("created")];
    case "reply_edited":
      return [reviewComment("edited")];
    case "reply_deleted":
      return [reviewComment("deleted")];
    case "resolved":
    case "unresolved":
      return [{ event: "pull_request_review_thread", action: happening.kind }];
    case "checked":
      if (happening.form === "status") return [{ event: "status", action: "" }];
      return [{ event: "check_run", action: happening.isDone ? "completed" : "created" }];
    default:
      return never(happening);
  }
}

const commentActions = { commented: "created", comment_edited: "edited", comment_deleted: "deleted" } as const;

/** As Gitea 1.21 was seen to send them, by the coarse event. Dismissals, resolved threads and statuses send nothing. */
function giteaNames(happening: Happening): readonly WebhookName[] {
  switch (happening.kind) {
    case "opened":
    case "closed":
    case "reopened":
    case "edited":
    case "review_requested":
      return pullRequest(happening.kind);
    case "pushed":
      return pullRequest("synchronized");
    case "labelled":
      return pullRequest("label_updated");
    // A draft is a title there.
    case "drafted":
    case "undrafted":
      return pullRequest("edited");
    case "commented":
    case "comment_edited":
    case "comment_deleted":
      return [{ event: "issue_comment", action: commentActions[happening.kind] }];
    // The text of a review and the replies are comments there.
    case "replied":
      return [{ event: "issue_comment", action: "created" }];
    case "review_edited":
    case "reply_edited":
      return [{ event: "issue_comment", action: "edited" }];
    case "reply_deleted":
      return [{ event: "issue_comment", action: "deleted" }];
    case "reviewed":
      return [{ event: giteaReviewEvents[happening.event], action: "reviewed" }];
    case "review_dismissed":
    case "resolved":
    case "unresolved":
    case "checked":
      return [];
    default:
      return never(happening);
  }
}

const giteaReviewEvents = {
  approve: "pull_request_approved",
  request_changes: "pull_request_rejected",
  comment: "pull_request_comment",
} as const satisfies Record<ReviewEvent, string>;

function pullRequest(action: string): readonly WebhookName[] {
  return [{ event: "pull_request", action }];
}

function reviewComment(action: string): WebhookName {
  return { event: "pull_request_review_comment", action };
}
