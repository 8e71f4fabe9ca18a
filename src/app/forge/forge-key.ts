import type { Secret } from "#config/secret.ts";

/** What lets Drover into a forge. */
export type ForgeKey =
  | { readonly kind: "token"; readonly token: Secret }
  | { readonly kind: "app"; readonly id: string; readonly privateKey: Secret; readonly installation: number | null };

/** The secret part, for whoever has to notice that it changed. */
export function revealKey(key: ForgeKey): string {
  return (key.kind === "token" ? key.token : key.privateKey).reveal();
}
