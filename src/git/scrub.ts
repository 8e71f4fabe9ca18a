const messageCharactersMax = 600;

/** What git complained about, fit for a log: short, on one line, without secrets, addresses and control characters. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "***");
  clean = clean
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi, "***")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return clean.length > messageCharactersMax ? `${clean.slice(0, messageCharactersMax)}…` : clean;
}
