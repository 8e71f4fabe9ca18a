import type { FeedbackEvent, StatusEvent } from "#core/model/action.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { PullKey, PullRef } from "#ports/pull-ref.ts";

/** Somebody outside of the forge who wants to know: a log, a timeline, a webhook, a chat. */
export interface Notifier {
  /**
   * Tells it. At least once: after a crash the same notice comes again under the same key, and whoever listens counts
   * keys, not deliveries. Notices of one pull come in the order in which they happened, unless one comes again. A
   * rejection means that it will be told again later; it never holds up anything else.
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
