import type { InstanceId } from "#core/model/ids.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** A forge that sends webhooks to this installation. It keeps its secrets to itself. */
export interface WebhookSource {
  /** Its deliveries come to the path of this name: `/webhooks/github`. */
  readonly manner: string;
  readonly instance: InstanceId;
  /**
   * Checks the signature over the raw bytes before anything else is read, and reduces the delivery to the pull that it
   * points to. It never throws, for any input. The values that it keeps were checked to be plain text of bounded
   * length.
   */
  read(request: WebhookRequest): WebhookReading;
}

export interface WebhookRequest {
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As they came: the signature is over these bytes. */
  readonly body: Uint8Array;
}

export type WebhookReading =
  | {
      readonly kind: "reference";
      /** At least one, each once; a check can belong to several. */
      readonly pulls: readonly PullRef[];
      /** The account that opened the pull, where the event says so: see `Poked`. */
      readonly author?: string;
      /** The forge's own id of it, equal on redelivery; null where it has none. */
      readonly delivery: string | null;
      /** `issue_comment.created`. */
      readonly event: string;
    }
  /** Signed and understood, and there is nothing to look at. */
  | { readonly kind: "ignored"; readonly why: IgnoredWebhookReason }
  | { readonly kind: "refused"; readonly why: RefusedWebhookReason };

export type IgnoredWebhookReason =
  /** The forge tries out whether anybody is there. */
  | "ping"
  /** A comment on an issue that is no pull. */
  | "issue_comment"
  /** It names a commit and no pull (statuses, pushes): the poller and the looks that are planned anyway see it. */
  | "commit_only"
  /** Drover was let into other repositories, or out of some: there is no pull to look at, but a list to read again. */
  | "installation"
  /** Drover's own comment, review or check, which Drover knows of already. */
  | "own"
  /** A check that belongs to no pull of its repository, as far as the forge can tell. */
  | "no_pull_named"
  | "unrelated_event";

export type RefusedWebhookReason =
  /** Neither a signature of a known kind nor an empty one. */
  | "unsigned"
  /** Made with another secret, or over other bytes. */
  | "bad_signature"
  /** Signed, but without the header that says what it is. */
  | "no_event"
  /** Signed, but by a forge whose deliveries go to another path. */
  | "wrong_forge"
  /** Signed, but the repository's name or the pull's number is one that none can have. */
  | "no_such_name"
  /** Signed, but not what a delivery of this event looks like. */
  | "malformed";
