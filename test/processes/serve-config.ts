import { rename, writeFile } from "node:fs/promises";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";

/** An operator file of the tests. JSON is YAML. */
export interface ServeConfig {
  readonly forges: readonly ServeForge[];
  readonly workers?: number;
  readonly stopMs?: number;
  readonly rules?: object;
  readonly models?: object;
  readonly conversationModel?: string;
  readonly batchWebhooks?: object;
}

export interface ServeForge {
  readonly name: string;
  readonly url: string;
  readonly manner: SandboxManner;
  readonly token?: object;
  readonly webhookSecrets?: readonly object[];
  /** Null: those of production. */
  readonly spans?: Readonly<Record<keyof typeof quickSpans, number>> | null;
}

/** So that what a killed worker left is taken over, and what it sent is believed, within seconds. */
const quickSpans = { leaseMs: 6000, marginMs: 2000, settleMs: 4000, retryMs: 500, writeGapMs: 0 } as const;

/** Else a pull that waits for an approval is looked at every half minute. */
const seldom = { approval: { pollMs: 3_600_000 } };

/** Nothing is polled: a webhook that was accepted and got lost is not made good by anybody. */
export async function writeServeConfig(file: string, { forges, rules, ...rest }: ServeConfig): Promise<void> {
  const config = { ...rest, rules: { ...seldom, ...rules }, forges: forges.map(forgeOf) };
  // In one step: a server may be reading it.
  await writeFile(`${file}.new`, JSON.stringify(config, null, 2));
  await rename(`${file}.new`, file);
}

function forgeOf({ name, url, manner, token, webhookSecrets, spans = quickSpans }: ServeForge): object {
  return {
    name,
    kind: "sandbox",
    url,
    manner,
    token: token ?? { env: "DROVER_SANDBOX_TOKEN" },
    webhookSecrets: webhookSecrets ?? [{ env: "DROVER_WEBHOOK_SECRET" }],
    repositories: [],
    ...(spans === null ? {} : { spans }),
  };
}
