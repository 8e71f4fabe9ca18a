import { StartError } from "#app/serve/block-secret-file.ts";
import type { ForgeConfig, OperatorConfig } from "#config/operator-config.ts";
import { readSecret, type SecretPlaces } from "#config/read-secret.ts";
import type { Secret } from "#config/secret.ts";

/** A forge of the configuration with what is secret about it. */
export interface ForgeAccess {
  readonly forge: ForgeConfig;
  readonly token: Secret;
  readonly webhookSecrets: readonly Secret[];
}

/** All of them, or an error that names every one that is missing. */
export async function readSecrets({ forges }: OperatorConfig, places: SecretPlaces): Promise<readonly ForgeAccess[]> {
  const missing: string[] = [];
  const read = async (what: string, source: Parameters<typeof readSecret>[0]): Promise<Secret | null> => {
    const found = await readSecret(source, places);
    if (found.kind === "read") return found.secret;
    missing.push(`${what}: ${found.why}`);
    return null;
  };
  const accesses: ForgeAccess[] = [];
  for (const forge of forges) {
    const token = await read(`the token of ${forge.name}`, forge.token);
    const webhookSecrets: Secret[] = [];
    for (const source of forge.webhookSecrets) {
      const secret = await read(`a webhook secret of ${forge.name}`, source);
      if (secret !== null) webhookSecrets.push(secret);
    }
    if (token !== null) accesses.push({ forge, token, webhookSecrets });
  }
  if (missing.length > 0) throw new StartError(missing.join("; "));
  return accesses;
}
