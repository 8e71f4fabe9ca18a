import { googleKey, type SecretFormat, secretFormats, wordCharacter } from "#core/secrets/secret-format.ts";
import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import type { Hit, Rule } from "#reviewers/rules/rule.ts";
import { isPlaceholder } from "#reviewers/rules/secrets/placeholder.ts";

const checksumLength = 6;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Comments and the store hold the finding, so it quotes only the key's public start and four characters: enough to tell two
 * keys apart, so that a waiver for one does not cover the next.
 */
export const leakedSecret: Rule = {
  name: "leaked-secret",
  title: "Leaked secret",
  score: 10,
  catches:
    "Keys and tokens in the formats of GitHub, GitLab, npm, PyPI, AWS, Google, Azure, Stripe, Slack, OpenAI, Anthropic and others, and private keys. Placeholders are left alone, and so are private keys of tests and tokens in tests whose checksum is wrong. The finding never repeats the secret.",
  example: 'const token = "ghp_…";',
  scope: "everything",
  isSecretive: true,
  applies: () => true,
  check: findSecrets,
};

const shownCharacters = 4;
/** After the start of a token with a checksum; newer kinds may be longer, with another checksum or none. */
const checkedLength = 36;
const contextCharacters = 80;

const advice =
  "Treat it as leaked: revoke it and issue a new one, then read it from the environment or a secret store. Taking it out of the code is not enough, since it stays in the history.";

function findSecrets(file: ChangedFile): readonly Hit[] {
  // Most files have none: one search per format is much faster than line by line.
  const text = file.added.map((line) => line.text).join("\n");
  const formats = secretFormats.filter(({ shape }) => text.search(shape) !== -1);
  // The web keys of Firebase are made to be public.
  const isFirebase = formats.includes(googleKey) && file.lines.some((line) => /firebase/i.test(line.text));
  const hasKey = text.includes("PRIVATE KEY");
  if (formats.length === 0 && !hasKey) return [];
  return file.added.flatMap((line) => [
    ...(hasKey ? privateKeyHits(file, line) : []),
    ...tokenHits(file, line, isFirebase ? formats.filter((format) => format !== googleKey) : formats),
  ]);
}

function privateKeyHits(file: ChangedFile, line: Line): readonly Hit[] {
  if (file.isTest) return [];
  const found = findPrivateKey(line);
  if (found === undefined) return [];
  const place = { kind: "part", line: line.number, from: found.from, to: found.to } as const;
  return [{ place, score: 10, message: `This is a private key. ${advice}`, suggestion: null }];
}

function tokenHits(file: ChangedFile, line: Line, formats: readonly SecretFormat[]): readonly Hit[] {
  const found = formats.flatMap((format) => findTokens(file, line.text, format));
  found.sort((one, other) => one.from - other.from);
  let free = 0;
  return found.flatMap(({ format, from, bodyFrom, to }) => {
    // Two formats may claim the same characters: the first one has named them.
    if (from < free) return [];
    const place = {
      kind: "part",
      line: line.number,
      from: Math.max(free, from - contextCharacters),
      to: bodyFrom + shownCharacters,
    } as const;
    free = to;
    const message = `This looks like ${format.name} (\`${line.text.slice(bodyFrom, bodyFrom + shownCharacters)}…\` after its public start). ${advice}`;
    return [{ place, score: format.score, message, suggestion: null }];
  });
}

interface Token {
  readonly format: SecretFormat;
  readonly from: number;
  readonly bodyFrom: number;
  readonly to: number;
}

function findTokens(file: ChangedFile, text: string, format: SecretFormat): readonly Token[] {
  return Array.from(text.matchAll(format.shape)).flatMap((match) => {
    const { start = "", body = "" } = match.groups ?? {};
    const from = match.index;
    const to = from + match[0].length;
    const isWord = !wordCharacter.test(text.charAt(from - 1)) && !wordCharacter.test(text.charAt(to));
    if (!isWord || isPlaceholder(body) || isHarmless(file, format, body)) return [];
    return [{ format, from, bodyFrom: from + start.length, to }];
  });
}

function isHarmless(file: ChangedFile, format: SecretFormat, body: string): boolean {
  const mayCheck = format.hasChecksum === true && body.length === checkedLength;
  return mayCheck && isForShow(file) && !hasTokenChecksum(body);
}

function isForShow(file: ChangedFile): boolean {
  return file.isTest || file.language === "prose" || /(?:^|\/)(?:docs?|examples?)\//.test(file.path);
}

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
function findPrivateKey(line: Line): { readonly from: number; readonly to: number } | undefined {
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

/** GitHub's and npm's tokens end with a CRC-32 in digits and letters. Of a million made-up tokens none passes by chance. */
export function hasTokenChecksum(body: string): boolean {
  const random = body.slice(0, -checksumLength);
  return body.slice(-checksumLength) === toBase62(crc32(random)).padStart(checksumLength, "0");
}

export function toBase62(value: number): string {
  return value < digits.length
    ? digits.charAt(value)
    : toBase62(Math.floor(value / digits.length)) + digits.charAt(value % digits.length);
}

/** Character codes are ASCII here. Bit by bit: a token is short. */
export function crc32(text: string): number {
  let sum = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    sum ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
