import { defaultKeyVariables } from "#app/models/default-key-variables.ts";
import type { ConfiguredChainEntry as ConfiguredEntry, ModelsConfig } from "#config/model-config.ts";
import { readSecret, type SecretLookup } from "#config/read-secret.ts";
import { makeSecret } from "#config/secret.ts";
import type { ChainEntry } from "#models/model-settings.ts";

/** The models of the configuration with their keys, by name and in its order. */
export type ReadChains =
  | { readonly kind: "read"; readonly chains: ReadonlyMap<string, readonly ChainEntry[]> }
  /** Each says which model, and what to do. No key is quoted. */
  | { readonly kind: "missing"; readonly problems: readonly string[] };

export async function readChains(models: ModelsConfig, places: SecretLookup): Promise<ReadChains> {
  const problems: string[] = [];
  const chains = new Map<string, readonly ChainEntry[]>();
  for (const [name, { chain }] of Object.entries(models)) {
    const read: ChainEntry[] = [];
    for (const entry of chain) {
      const found = await readEntry(entry, places);
      if (typeof found === "string") problems.push(`the model "${name}" (${entry.provider}/${entry.model}): ${found}`);
      else read.push(found);
    }
    chains.set(name, read);
  }
  return problems.length > 0 ? { kind: "missing", problems } : { kind: "read", chains };
}

/** A string says why it has no key. */
async function readEntry(entry: ConfiguredEntry, places: SecretLookup): Promise<ChainEntry | string> {
  const { provider, model, baseUrl = null, shapes = null, tools, contextTokens } = entry;
  const common = { provider, model, baseUrl, shapes, tools, contextTokens };
  if (entry.key !== undefined) {
    const read = await readSecret(entry.key, places);
    const keyName = "env" in entry.key ? entry.key.env : entry.key.file;
    return read.kind === "read" ? withKey(common, { value: read.secret.reveal(), keyName }) : read.why;
  }
  const names = defaultKeyVariables[provider];
  const keyName = names.find((name) => (places.env[name] ?? "") !== "");
  if (keyName !== undefined) {
    const value = places.env[keyName] ?? "";
    places.onRead?.({ name: keyName, value });
    return withKey(common, { value, keyName });
  }
  if (provider === "compatible") return { ...common, key: null, keyName: "" };
  return `the environment variable ${names.join(" or ")} is not set; it holds the key, unless \`key\` says where that is`;
}

/** What cannot stand in a header would come back in an error that quotes it. */
function withKey(
  entry: Omit<ChainEntry, "key" | "keyName">,
  { value, keyName }: { readonly value: string; readonly keyName: string },
): ChainEntry | string {
  const key = value.trim();
  if (/^[\u0021-\u007e]+$/.test(key)) return { ...entry, key: makeSecret(key), keyName };
  return `the value of ${keyName} is not a key: it has spaces, line breaks or other characters that no key has`;
}
