import type { FeedbackEvent, StatusEvent } from "#core/decision/action.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { PullKey, PullRef } from "#ports/pull-ref.ts";

/** A receiver of notices outside of the forge: a log, a timeline, a webhook, a chat. */
export interface Notifier {
  /**
   * Sends the notice, at least once: after a crash the same notice comes again under the same key, so receivers count
   * keys, not deliveries. Notices of one pull come in the order in which they happened, unless one is repeated. After a
   * rejection the notice is sent again later; it never holds up other work.
   */
  notify(notice: Notice): Promise<void>;
}

export interface Notice {
  /** Unique for what happened, over all pulls. */
  readonly key: `${PullKey}/${string}`;
  readonly pull: PullRef;
  readonly what:
    | { readonly kind: "approval_changed"; readonly event: StatusEvent }
    | { readonly kind: "feedback_received" | "feedback_addressed"; readonly event: FeedbackEvent }
    | { readonly kind: "escalated"; readonly severity: "info" | "warning" | "blocking"; readonly text: string }
    | { readonly kind: "merged"; readonly head: HeadSha };
}
