/** Only texts of the bot's own are looked at, so it needs no secret. A digest, since forges do not keep every space. */
export type Sentinel =
  | { readonly kind: "managed"; readonly digest: string }
  | { readonly kind: "review"; readonly role: string; readonly digest: string };

export function writeSentinel(sentinel: Sentinel): string {
  const name = sentinel.kind === "managed" ? "managed" : `review ${sentinel.role}`;
  return `<!-- drover:${name} ${sentinel.digest} -->`;
}

const pattern = /^<!-- drover:(?:(managed)|review ([a-z][a-z0-9-]{0,39})) ([0-9a-f]{32}) -->/;

/** Undefined where the text does not begin with one. */
export function readSentinel(text: string): Sentinel | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, managed, role, digest = ""] = found;
  if (managed !== undefined) return { kind: "managed", digest };
  return role === undefined ? undefined : { kind: "review", role, digest };
}
