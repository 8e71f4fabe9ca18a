import { descriptorOf, settingsOf } from "#app/forge/forge-table.ts";
import type { ForgeConfig } from "#config/forge-config.ts";
import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import type { ForgeClientOptions, ForgeLocation } from "#forges/forge-descriptor.ts";
import { withListedBots } from "#forges/listed-bots.ts";
import { maskingForge } from "#forges/masking-forge.ts";
import type { Protocol } from "#git/read-remote.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface ForgeOptions extends Pick<ForgeClientOptions, "clock" | "onToken" | "onSpent"> {
  readonly secrets: SecretMasker;
}

/** The only place that opens clients, so that each one masks secrets. It makes no call. */
export function openForge(location: ForgeLocation, key: ForgeClientOptions["key"], options: ForgeOptions): Forge {
  const { secrets, ...others } = options;
  const client = descriptorOf(location.kind).openUnmasked({ ...location, ...others, key });
  return maskingForge(withListedBots(client, location.bots ?? []), secrets);
}

export function forgeLocationOf(forge: ForgeConfig): ForgeLocation {
  const { kind, bots, gateName } = forge;
  const { url, merging, approves } = settingsOf(forge);
  return { kind, url, merging, approves, bots, gateName };
}

export function pullPage({ kind, url }: ForgeLocation, pull: PullRef): string {
  return descriptorOf(kind).pullPage(url, pull);
}

/** Plain HTTP only where the operator gave such an address. */
export function protocolsOf({ kind, url }: ForgeLocation): readonly Protocol[] {
  return descriptorOf(kind).gitProtocols ?? (new URL(url).protocol === "http:" ? ["http"] : ["https"]);
}
