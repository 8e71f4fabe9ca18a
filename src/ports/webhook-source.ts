import type { InstanceId } from "#core/model/ids.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface WebhookSource {
  /** The path of its deliveries: `/webhooks/github`. */
  readonly manner: string;
  readonly instance: InstanceId;
  /** Checks the signature over the raw bytes first. Never throws. Values that it keeps are plain text of bounded length. */
  read(request: WebhookRequest): WebhookReading;
}

export interface WebhookRequest {
  /** In lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As they came: the signature is over these bytes. */
  readonly body: Uint8Array;
}

export type WebhookReading =
  | {
      readonly kind: "reference";
      /** Each once; a check can belong to several. */
      readonly pulls: readonly PullRef[];
      readonly author?: string;
      /** Equal on redelivery; null where it has none. */
      readonly delivery: string | null;
      readonly event: string;
    }
  | { readonly kind: "ignored"; readonly why: IgnoredWebhookReason }
  | { readonly kind: "refused"; readonly why: RefusedWebhookReason };

export type IgnoredWebhookReason =
  | "ping"
  | "issue_comment"
  /** Statuses and pushes name no pull: the poller and planned looks see them. */
  | "commit_only"
  /** Other repositories are open to Drover now: read the list again. */
  | "installation"
  | "own"
  /** The check belongs to no pull here, as far as the forge can tell. */
  | "no_pull_named"
  | "unrelated_event";

export type RefusedWebhookReason =
  /** Neither a signature of a known kind nor an empty one. */
  | "unsigned"
  | "bad_signature"
  | "no_event"
  /** Signed by a forge whose deliveries go to another path. */
  | "wrong_forge"
  | "no_such_name"
  | "malformed";
