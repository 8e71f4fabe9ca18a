import { Untrusted } from "#core/model/ids.ts";
import { sanitise } from "#core/prompt/sanitise.ts";

/** What a model said, for people: with nothing hidden in it, no secret that it repeats, and not longer than that. */
export function harmlessText(text: string, charactersMax: number): string {
  // Cut first as well: a model may send megabytes, and nobody reads behind the limit.
  const near = text.slice(0, charactersMax * 2);
  const clean = maskSecrets(sanitise(Untrusted.parse(near)).trim());
  return wholeCharacters(clean.length > charactersMax ? `${clean.slice(0, charactersMax - 1)}…` : clean);
}

/** The same in one line and without markup, for lists and sentences of ours. */
export function harmlessLine(text: string, charactersMax: number): string {
  return harmlessText(text, charactersMax)
    .replace(/\s+/g, " ")
    .replaceAll("<", "‹")
    .replaceAll("`", "'")
    .replace(/!?\[/g, "(")
    .replaceAll("]", ")");
}

export function holdsSecret(text: string): boolean {
  return text.search(secret) !== -1;
}

/** Secrets are cut off after four characters: enough to tell which one is meant, and to find its line again. */
function maskSecrets(text: string): string {
  return text.replace(secret, (found) => `${found.slice(0, shownCharacters)}…`);
}

/** A quote up to the first secret in it; what is quoted is stored, and shown in a comment of the bot's own. */
export function quoteWithoutSecret(code: string): string {
  const at = code.search(secret);
  return at === -1 ? code : code.slice(0, at + shownCharacters);
}

const shownCharacters = 4;

/** The shapes that can be told from other text for certain; the rules reviewer knows more, and judges them. */
const secret =
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,64}|npm_[A-Za-z0-9]{30,64}|sk-[\w-]{20,255}|sk_live_[A-Za-z0-9]{16,128}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,64}|xox[abposr]-[\w-]{10,255}|eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000})|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}/g;

/** A cut through a surrogate pair leaves half a character, which is no text. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff](?=…?$)/g, "");
}
