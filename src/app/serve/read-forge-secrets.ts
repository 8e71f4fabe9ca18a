import { settingsOf } from "#app/forge/forge-table.ts";
import { StartError } from "#app/start-error.ts";
import { type ForgeConfig, mannerOf } from "#config/forge-config.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import { readSecret, type SecretLookup } from "#config/read-secret.ts";
import type { Secret } from "#config/secret.ts";
import type { SecretSource } from "#config/secret-source.ts";
import type { ForgeCredentials } from "#forges/forge-credentials.ts";

export interface ForgeAccess {
  readonly forge: ForgeConfig;
  readonly key: ForgeCredentials;
  readonly webhookSecrets: readonly Secret[];
}

/** The error names every missing one. */
export async function readForgeSecrets(
  { forges }: Pick<OperatorConfig, "forges">,
  places: SecretLookup,
): Promise<readonly ForgeAccess[]> {
  const missing: string[] = [];
  const read: Read = async (what, source) => {
    const found = await readSecret(source, places);
    if (found.kind === "read") return found.secret;
    missing.push(`${what}: ${found.why}`);
    return null;
  };
  const accesses: ForgeAccess[] = [];
  for (const forge of forges) {
    const key = await readKey(forge, read);
    const webhookSecrets: Secret[] = [];
    for (const source of forge.webhookSecrets) {
      const secret = await read(`a webhook secret of ${forge.name}`, source);
      if (secret !== null) webhookSecrets.push(secret);
    }
    if (key !== null) accesses.push({ forge, key, webhookSecrets });
  }
  if (missing.length > 0) throw new StartError(missing.join("; "));
  refuseShared(accesses);
  return accesses;
}

type Read = (what: string, source: SecretSource) => Promise<Secret | null>;

async function readKey(forge: ForgeConfig, read: Read): Promise<ForgeCredentials | null> {
  const { key } = settingsOf(forge);
  if (key.kind === "app") {
    const privateKey = await read(`the private key of ${forge.name}`, key.privateKey);
    return privateKey === null ? null : { ...key, privateKey };
  }
  const token = key.token === undefined ? null : await read(`the token of ${forge.name}`, key.token);
  return token === null ? null : { kind: "token", token };
}

/** Only the values show that two forges of one manner share a secret. */
function refuseShared(accesses: readonly ForgeAccess[]): void {
  const known = new Map<string, ForgeConfig["name"]>();
  for (const { forge, webhookSecrets } of accesses) {
    for (const secret of webhookSecrets) {
      const name = `${mannerOf(forge)} ${secret.reveal()}`;
      const other = known.get(name);
      if (other !== undefined && other !== forge.name) {
        throw new StartError(
          `${other} and ${forge.name} have the same webhook secret, so deliveries cannot be told apart. Give each its own.`,
        );
      }
      known.set(name, forge.name);
    }
  }
}
