import { type ForgeCredentials, revealCredentials } from "#app/forge/forge-credentials.ts";
import type { ForgeConfig } from "#config/operator-config.ts";
import { fetchInstallationRepositories, type InstallationRepositories } from "#forges/github/github-installation.ts";
import type { Clock } from "#ports/clock.ts";

/**
 * The repositories that are polled: those of the configuration, or where it names none, those that the App was installed
 * in. With a token and without a list nothing is polled, and webhooks alone say where to look.
 */
export async function listRepositories(
  forge: ForgeConfig,
  key: ForgeCredentials,
  clock: Clock,
): Promise<InstallationRepositories> {
  if (forge.repositories !== undefined || forge.kind !== "github" || key.kind !== "app") {
    return { names: forge.repositories ?? [], isCut: false };
  }
  const { installation, id: appId } = key;
  const access = { kind: "app", appId, privateKey: revealCredentials(key), installation } as const;
  return await fetchInstallationRepositories({ url: forge.apiUrl, access, clock });
}
