import type { SecretKeeper } from "#app/secrets/secret-keeper.ts";

/** What else is secret in the environment of every process: passwords in the addresses of its database and its proxies. */
export function learnSurroundings(
  secrets: Pick<SecretKeeper, "learn">,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const name of addressVariables) {
    const value = env[name] ?? "";
    // An address without a password has nothing to hide; its parts are in every second text.
    if (value.includes("://")) secrets.learn({ name, value });
  }
}

const addressVariables = ["DATABASE_URL", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;
