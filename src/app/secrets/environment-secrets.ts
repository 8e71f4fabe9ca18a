import type { SecretRegistry } from "#app/secrets/secret-registry.ts";

/** Passwords in the addresses of the database and of proxies. */
export function registerEnvironmentSecrets(
  secrets: Pick<SecretRegistry, "register">,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const name of addressVariables) {
    const value = env[name] ?? "";
    // An address without a password hides nothing, and its parts are in many texts.
    if (value.includes("://")) secrets.register({ name, value });
  }
}

const addressVariables = ["DATABASE_URL", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;
