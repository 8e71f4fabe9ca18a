import { type ForgeKey, revealKey } from "#app/forge/forge-key.ts";
import type { ForgeConfig } from "#config/operator-config.ts";
import { fetchInstallationRepositories } from "#forges/github/github-installation.ts";
import type { Clock } from "#ports/clock.ts";

/**
 * The repositories that are polled: those of the configuration, or where it names none, those that the App was installed
 * in. With a token and without a list nothing is polled, and webhooks alone say where to look.
 */
export async function listRepositories(forge: ForgeConfig, key: ForgeKey, clock: Clock): Promise<readonly string[]> {
  if (forge.repositories !== undefined || forge.kind !== "github" || key.kind !== "app")
    return forge.repositories ?? [];
  const { installation, id: appId } = key;
  const access = { kind: "app", appId, privateKey: revealKey(key), installation } as const;
  return await fetchInstallationRepositories({ url: forge.apiUrl, access, clock });
}
