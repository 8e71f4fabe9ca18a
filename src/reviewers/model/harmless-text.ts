import { Untrusted } from "#core/model/ids.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { sanitise } from "#core/prompt/sanitise.ts";
import { maskSecrets, secretAt } from "#core/secrets/mask-secret-formats.ts";

/** For people: nothing hidden, no secret, no longer than the limit. */
export function harmlessText(text: string, charactersMax: number): string {
  // Cut first as well: a model may send megabytes.
  const near = text.slice(0, charactersMax * 2);
  // The model was shown handles with another sign; core/words breaks the real ones for a forge.
  const clean = maskSecrets(restoreHandles(sanitise(Untrusted.parse(near))).trim());
  return wholeCharacters(clean.length > charactersMax ? `${clean.slice(0, charactersMax - 1)}…` : clean);
}

export function harmlessLine(text: string, charactersMax: number): string {
  return harmlessText(text, charactersMax)
    .replace(/\s+/g, " ")
    .replaceAll("<", "‹")
    .replaceAll("`", "'")
    .replace(/!?\[/g, "(")
    .replaceAll("]", ")");
}

export function holdsSecret(text: string): boolean {
  return secretAt(text) !== -1;
}

/** Up to the first secret: a quote is stored, and shown in the bot's comments. */
export function quoteWithoutSecret(code: string): string {
  const at = secretAt(code);
  return at === -1 ? code : code.slice(0, at);
}

/** A cut through a surrogate pair leaves half a character, which is no text. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff](?=…?$)/g, "");
}
