import { codeParts } from "#core/markdown/code-parts.ts";

/**
 * No forge calls anybody by a handle with this look-alike, so a model that repeats it calls nobody. Of signs that can
 * be turned back it is among the cheapest: a token more. In doubt it is a handle. Spared are mail addresses, and
 * packages in code, since `@scope/name` is searched for.
 */
export function breakHandles(text: string): string {
  if (!/[@&]/.test(text)) return text;
  const parts = codeParts(text);
  if (parts === null) return text.replace(handleSign, lookAlike);
  return parts.map((part) => part.text.replace(part.isCode ? handleSignInCode : handleSign, lookAlike)).join("");
}

export function restoreHandles(text: string): string {
  return text.replace(brokenSign, "@");
}

const lookAlike = "\uff20";

/** A forge calls people on both sides of an underscore, and behind letters of other scripts: no address ends so. */
const noAddress = "(?<![A-Za-z0-9])";
const beforeName = String.raw`(?=(?:\[(?:U\+[0-9A-F]{4,6}|\d{1,9} hidden characters)\])*[\p{L}\p{N}_])`;
/** As a character reference it is one on the page, and models read those as well. */
const sign = "(?:@|&(?:#0*64|#[xX]0*40|commat);)";
const noPackage = String.raw`(?!@[a-z0-9~-][a-z0-9._~-]{0,213}/[a-z0-9._~-])`;

const handleSign = new RegExp(`${noAddress}${sign}${beforeName}`, "gu");
const handleSignInCode = new RegExp(`${noAddress}${noPackage}${sign}${beforeName}`, "gu");
const brokenSign = new RegExp(`${noAddress}${lookAlike}${beforeName}`, "gu");
