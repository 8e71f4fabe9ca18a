import type { Secret } from "#config/secret.ts";

export type ForgeCredentials =
  | { readonly kind: "token"; readonly token: Secret }
  | { readonly kind: "app"; readonly id: string; readonly privateKey: Secret; readonly installation: number | null };

/** An App without a named installation may be in several accounts, and GitHub counts for each. */
export function throttleScopeOf(key: ForgeCredentials): "one" | "by_owner" {
  return key.kind === "app" && key.installation === null ? "by_owner" : "one";
}

/** So that a change of it is noticed. */
export function revealCredentials(key: ForgeCredentials): string {
  return (key.kind === "token" ? key.token : key.privateKey).reveal();
}
