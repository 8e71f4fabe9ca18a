import type { Line } from "#reviewers/rules/changed-file.ts";

/** Encrypted keys are left out: they are of no use without their passphrase. */
const header = /-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH) )?PRIVATE KEY-----|-----BEGIN PGP PRIVATE KEY BLOCK-----/;
/** In the same line, as in JSON and environment files. */
const bodyInline = /^(?:\\r)?\\n[A-Za-z0-9+/=\\]{40}/;
/** Or in the next line, perhaps as another string. */
const bodyBelow = /^[\s"'`+]*[A-Za-z0-9+/]{40}/;
/** PGP and old PEM keys may have lines about the key, and an empty one, before it. */
const linesBetweenMax = 4;
const aboutKey = /^[\s"'`]*(?:$|(?:Version|Comment|Charset|Hash): )/;

/** Only if a key follows: code that merely names headers is harmless. */
export function findPrivateKey(line: Line): { readonly from: number; readonly to: number } | undefined {
  const match = header.exec(line.text);
  if (match === null) return undefined;
  const to = match.index + match[0].length;
  return bodyInline.test(line.text.slice(to)) || hasBodyBelow(line) ? { from: match.index, to } : undefined;
}

function hasBodyBelow(line: Line): boolean {
  let next = line.after;
  for (let count = 0; count < linesBetweenMax && next !== undefined && aboutKey.test(next.text); count += 1) {
    next = next.after;
  }
  return next !== undefined && bodyBelow.test(next.text);
}
