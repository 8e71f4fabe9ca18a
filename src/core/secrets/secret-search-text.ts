/** White space and invisible characters: any of them may stand between two of a secret. */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- each of them is meant, one by one.
  /[\s\u0000-\u001f\u007f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|\udb40[\udc00-\udfff]/g;

/** East Asian full-width letters count as the usual ones: prompts write `＠` for `@`. */
export function toSecretSearchText(text: string): string {
  return text
    .replace(unseen, "")
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfe_e0));
}
