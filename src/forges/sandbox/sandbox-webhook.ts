import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import type { WebhookDelivery } from "#ports/forge.ts";

/** Reduces a delivery to the place it speaks of. What it says happened there is not believed. */
export function readSandboxDelivery({ id, pull }: SandboxDelivery): WebhookDelivery {
  return { id, pull };
}
