import { toSecretSearchText } from "#core/secrets/secret-search-text.ts";

export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

export type SecretParts =
  | { readonly kind: "parts"; readonly parts: readonly string[] }
  /** It would be found in texts that have nothing to do with it. */
  | { readonly kind: "unfit"; readonly why: string };

const secretLimits = {
  charactersMin: 8,
  distinctMin: 5,
  /** Up to here a value of one kind of characters may be a word or a date. */
  wordCharactersMax: 15,
} as const;

/** No longer than the shortest secret: no text grows by it, so what fitted still fits. */
export const secretPlaceholder = "‹secret›";

/** A noncharacter. A value that holds it is not looked for. */
export const neverInSecrets = "\ufdd0";

/** In an address the password, in a private key all between its first and last line: the rest is in many texts. */
export function secretParts(value: string): SecretParts {
  const trimmed = value.trim();
  if (trimmed.includes("-----BEGIN ")) return fit([keyBody(trimmed)]);
  const passwords = passwordsIn(trimmed);
  if (passwords !== null) return passwords.length === 0 ? { kind: "parts", parts: [] } : fit(passwords);
  return fit([trimmed]);
}

/** Some write line breaks as a backslash and a letter. */
function keyBody(key: string): string {
  return key
    .split(/\r?\n|\\r\\n|\\n/)
    .map((line) => line.trim())
    .filter((line) => !line.includes("-----") && !line.includes(":"))
    .join("\n")
    .trim();
}

const address = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:([^/?#]*)@)?[^@]*$/;

/** Null for what is no address; as written, and as meant. */
function passwordsIn(value: string): readonly string[] | null {
  const found = address.exec(value);
  if (found === null) return null;
  const [, user = ""] = found;
  const written = [
    ...(user.includes(":") ? [user.slice(user.indexOf(":") + 1)] : []),
    ...Array.from(value.matchAll(/[?&]password=([^&#]*)/g), ([, password = ""]) => password),
  ].filter((password) => password !== "");
  return [...new Set(written.flatMap((password) => [password, percentDecoded(password)]))];
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fit(parts: readonly string[]): SecretParts {
  for (const part of parts) {
    const why = whyUnfit(part);
    if (why !== null) return { kind: "unfit", why };
  }
  return { kind: "parts", parts };
}

function whyUnfit(part: string): string | null {
  const { charactersMin, distinctMin, wordCharactersMax } = secretLimits;
  const written = toSecretSearchText(part);
  if (written.length < charactersMin) return `it has fewer than ${charactersMin} characters`;
  if (new Set(written).size < distinctMin) return `it has fewer than ${distinctMin} different characters`;
  const isWord = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\d+)$/u.test(written) && written.length <= wordCharactersMax;
  if (isWord) return "it is a word or a number, as other texts may hold it";
  if (written.includes(secretPlaceholder) || written.includes(neverInSecrets))
    return "it holds what stands for a secret";
  return null;
}
