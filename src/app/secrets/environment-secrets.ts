import type { SecretRegistry } from "#app/secrets/secret-registry.ts";

/** What else is secret in the environment of every process: passwords in the addresses of its database and its proxies. */
export function registerEnvironmentSecrets(
  secrets: Pick<SecretRegistry, "register">,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const name of addressVariables) {
    const value = env[name] ?? "";
    // An address without a password has nothing to hide; its parts are in every second text.
    if (value.includes("://")) secrets.register({ name, value });
  }
}

const addressVariables = ["DATABASE_URL", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;
