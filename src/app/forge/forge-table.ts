import { forgeLoaders } from "#app/forge/forge-kinds.ts";
import type { ForgeConfig } from "#config/forge-config.ts";
import type { ForgeDescriptor, ForgeSettings, PullAddress } from "#forges/forge-descriptor.ts";

export const forgeTable: ReadonlyMap<string, ForgeDescriptor> = new Map(
  await Promise.all(Object.entries(forgeLoaders).map(async ([kind, load]) => [kind, await load()] as const)),
);

export function descriptorOf(kind: string): ForgeDescriptor {
  const found = forgeTable.get(kind);
  if (found === undefined) throw new Error(`there is no kind of forge called ${kind}`);
  return found;
}

export function settingsOf(forge: ForgeConfig): ForgeSettings {
  return descriptorOf(forge.kind).settingsOf(forge);
}

export function findPullAddress(text: string): (PullAddress & { readonly kind: string }) | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  for (const [kind, descriptor] of forgeTable) {
    const address = descriptor.findPullAddress?.(new URL(text));
    if (address !== undefined) return { kind, ...address };
  }
  return undefined;
}

/** Of all kinds: repositories move from one forge to another. */
export const codeOwnersFolders: readonly string[] = [...forgeTable.values()].flatMap((kind) => kind.codeOwnersFolders);

export const webhookManners: readonly string[] = [...forgeTable].flatMap(([kind, { createWebhook }]) =>
  createWebhook === undefined ? [] : kind,
);
