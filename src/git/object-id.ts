import { createHash } from "node:crypto";

export type ObjectFormat = "sha1" | "sha256";

export function formatOf(id: string): ObjectFormat {
  return id.length === 64 ? "sha256" : "sha1";
}

export function objectId(kind: "blob" | "tree" | "commit", content: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`${kind} ${content.length}\0`).update(content).digest("hex");
}
