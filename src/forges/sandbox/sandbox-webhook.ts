import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import type { WebhookDelivery } from "#ports/forge.ts";

/** Keeps the place alone: what a delivery says is not believed. */
export function readSandboxDelivery({ id, pull }: SandboxDelivery): WebhookDelivery {
  return { id, pull };
}
