import type { Instant } from "#core/model/instant.ts";
import type { WebhookRequest } from "#ports/webhook-source.ts";

export interface BatchWebhook {
  /** Checks the signature over the raw bytes first. Never throws. A delivery is only a reason to check the batch. */
  read(request: WebhookRequest, now: Instant): BatchWebhookReading;
}

export type BatchWebhookReading =
  /** The provider's name of the batch: plain text of bounded length. */
  | { readonly kind: "ended"; readonly batch: string }
  | { readonly kind: "ignored"; readonly why: "unrelated_event" }
  | { readonly kind: "refused"; readonly why: "unsigned" | "bad_signature" | "too_old" | "malformed" };
