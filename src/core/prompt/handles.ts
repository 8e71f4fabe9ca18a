import { codeParts } from "#core/markdown/code-parts.ts";

/**
 * Handles in prose, of anybody, with a sign that looks like theirs. No forge calls anybody by it and no Drover listens to
 * it, so a model that repeats what it read calls nobody, whatever way its words take. People and models read it all the
 * same: of the signs that can be told from all others and turned back, it is among those that cost least, a token more.
 *
 * In doubt it is a handle: a decorator that somebody mentions, a team, a name in the address of a page. Spared are
 * addresses of mail, and in code the names of packages, since nobody is called out of code and `@scope/name` is searched for.
 */
export function breakHandles(text: string): string {
  if (!/[@&]/.test(text)) return text;
  const parts = codeParts(text);
  if (parts === null) return text.replace(handleSign, lookAlike);
  return parts.map((part) => part.text.replace(part.isCode ? handleSignInCode : handleSign, lookAlike)).join("");
}

/** The same text with the handles as they were, for people: whoever writes to them breaks handles in a way of its own. */
export function restoreHandles(text: string): string {
  return text.replace(brokenSign, "@");
}

/** The full-width sign. */
const lookAlike = "\uff20";

/**
 * `mail@example.org` is an address. An underscore may be where emphasis begins or ends, and a forge calls people on both
 * sides of it; so it does behind letters of other scripts, with which no address ends.
 */
const noAddress = "(?<![A-Za-z0-9])";
/** A name, also behind hidden characters that were made visible. */
const beforeName = String.raw`(?=(?:\[(?:U\+[0-9A-F]{4,6}|\d{1,9} hidden characters)\])*[\p{L}\p{N}_])`;
/** As a character reference it is one on the page, and models read those as well. */
const sign = "(?:@|&(?:#0*64|#[xX]0*40|commat);)";
const noPackage = String.raw`(?!@[a-z0-9~-][a-z0-9._~-]{0,213}/[a-z0-9._~-])`;

const handleSign = new RegExp(`${noAddress}${sign}${beforeName}`, "gu");
const handleSignInCode = new RegExp(`${noAddress}${noPackage}${sign}${beforeName}`, "gu");
const brokenSign = new RegExp(`${noAddress}${lookAlike}${beforeName}`, "gu");
