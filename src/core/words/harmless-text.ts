import { Untrusted } from "#core/model/ids.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { sanitise } from "#core/prompt/sanitise.ts";
import { maskSecrets, secretAt } from "#core/secrets/mask-secret-formats.ts";

/** What a model said, for people: with nothing hidden in it, no secret that it repeats, and not longer than that. */
export function harmlessText(text: string, charactersMax: number): string {
  // Cut first as well: a model may send megabytes, and the text behind the limit is not used.
  const near = text.slice(0, charactersMax * 2);
  // It was shown handles with another sign; what is stored is what is meant, and core/words breaks it for a forge.
  const clean = maskSecrets(restoreHandles(sanitise(Untrusted.parse(near))).trim());
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
  return secretAt(text) !== -1;
}

/** A quote up to the first secret in it; what is quoted is stored, and shown in a comment of the bot's own. */
export function quoteWithoutSecret(code: string): string {
  const at = secretAt(code);
  return at === -1 ? code : code.slice(0, at);
}

/** A cut through a surrogate pair leaves half a character, which is no text. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff](?=…?$)/g, "");
}
