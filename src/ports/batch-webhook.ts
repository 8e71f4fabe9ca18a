import type { Instant } from "#core/model/instant.ts";
import type { WebhookRequest } from "#ports/webhook-source.ts";

/** A provider that tells when a batch has ended. It keeps its secrets to itself. */
export interface BatchWebhook {
  /**
   * Checks the signature over the raw bytes before anything else is read. It never throws, for any input. The delivery
   * is used only as a reason to check the batch.
   */
  read(request: WebhookRequest, now: Instant): BatchWebhookReading;
}

export type BatchWebhookReading =
  /** The provider's own name of the batch: plain text of bounded length. */
  | { readonly kind: "ended"; readonly batch: string }
  | { readonly kind: "ignored"; readonly why: "unrelated_event" }
  | { readonly kind: "refused"; readonly why: "unsigned" | "bad_signature" | "too_old" | "malformed" };
