import type { FeedbackEvent, StatusEvent } from "#core/model/action.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { PullKey, PullRef } from "#ports/pull-ref.ts";

export interface Notifier {
  /** At least once: after a crash the same key comes again. A pull's notices keep their order; a rejected one comes later. */
  notify(notice: Notice): Promise<void>;
}

export interface Notice {
  /** Unique over all pulls. */
  readonly key: `${PullKey}/${string}`;
  readonly pull: PullRef;
  readonly what:
    | { readonly kind: "approval_changed"; readonly event: StatusEvent }
    | { readonly kind: "feedback_received" | "feedback_addressed"; readonly event: FeedbackEvent }
    | { readonly kind: "escalated"; readonly severity: "info" | "warning" | "blocking"; readonly text: string }
    | { readonly kind: "merged"; readonly head: HeadSha };
}
