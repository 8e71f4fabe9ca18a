import { keyWords, maskKeyLines } from "#core/secrets/mask-private-keys.ts";
import { maskedShapes, type SecretShape } from "#core/secrets/secret-format.ts";

/** The public start stays: enough to tell which secret is meant, and to find its line again. */
export function maskSecrets(text: string): string {
  return text.replace(secret, (found) => `${shownOf(found)}…`);
}

/** Lines stay, since locations are line numbers. A part may hold half a key, so texts are masked before cutting. */
export function maskSecretsInLines(text: string, path: string | null = null): string {
  return maskKeyLines(
    text.replace(tokens, (found) => `${shownOf(found)}…`),
    path,
  );
}

export function secretAt(text: string): number {
  secret.lastIndex = 0;
  const found = secret.exec(text);
  return found === null ? -1 : found.index + shownOf(found[0]).length;
}

/** Of a private key, dashes. */
const shownCharacters = 4;

function shownOf(found: string): string {
  return starts.exec(found)?.[0] ?? found.slice(0, shownCharacters);
}

/** Between the lines of a key: blanks, also as a string writes them, and what begins or ends a quote. */
const between = "(?:\\s|\\\\(?:[nrt]|(?=\\n))|[\"'`,>|*#]|\\+(?=\\s)){0,200}";
const keyEnd = `-----END ${keyWords}-----`;

/** Only what can be part of a key goes with its first line: a file of that name would take away all that follows. */
const privateKey = [
  `-----BEGIN ${keyWords}-----`,
  `(?:${between}(?:Proc-Type|DEK-Info|Version|Comment):[^\\n\\\\]{0,100}){0,2}`,
  `(?:(?:${between}[A-Za-z0-9+/=]{16,1000}){1,500}(?:${between}[A-Za-z0-9+/=]{0,15}${between}${keyEnd})?`,
  `|${between}[A-Za-z0-9+/=]{1,15}${between}${keyEnd})`,
].join("");

function sourceOf(shapes: readonly SecretShape[]): string {
  return shapes.map(({ start, body }) => `(?:${start})${body}`).join("|");
}

function longestFirst(sources: readonly string[]): readonly string[] {
  return sources.toSorted((one, other) => other.length - one.length);
}

/** The rules reviewer judges which of these are real. */
const token = `\\b(?:${sourceOf(maskedShapes.filter(({ isNamed }) => isNamed !== true))})|${sourceOf(
  maskedShapes.filter(({ isNamed }) => isNamed === true),
)}`;
/** Of two that begin alike, the one that says more is shown. */
const starts = new RegExp(`^(?:${longestFirst(maskedShapes.map(({ start }) => start)).join("|")})`);
const secret = new RegExp(`${token}|${privateKey}`, "g");
const tokens = new RegExp(token, "g");
