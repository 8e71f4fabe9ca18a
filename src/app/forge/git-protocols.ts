import type { ForgeLocation } from "#app/forge/open-forge.ts";
import type { Protocol } from "#git/read-remote.ts";

/** How git may reach the repositories of a forge. Plain HTTP only where the operator gave such an address. */
export function protocolsOf({ kind, url }: ForgeLocation): readonly Protocol[] {
  if (kind === "sandbox") return ["file"];
  return new URL(url).protocol === "http:" ? ["http"] : ["https"];
}
