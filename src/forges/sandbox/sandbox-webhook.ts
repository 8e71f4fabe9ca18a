import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import type { WebhookDelivery } from "#ports/forge.ts";

export function readSandboxDelivery({ id, pull }: SandboxDelivery): WebhookDelivery {
  return { id, pull };
}
