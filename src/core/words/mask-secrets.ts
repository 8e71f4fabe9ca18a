/** Secrets are cut off after four characters: enough to tell which one is meant, and to find its line again. */
export function maskSecrets(text: string): string {
  return text.replace(secret, (found) => `${found.slice(0, shownCharacters)}…`);
}

/** The same with every line kept and the edges of a diff left alone, since places in a text are told by its lines. */
export function maskSecretsInLines(text: string): string {
  const masked = text.replace(tokens, (found) => `${found.slice(0, shownCharacters)}…`);
  if (!masked.includes("PRIVATE KEY-----")) return masked;
  let isInKey = false;
  const lines = masked.split("\n").map((line) => {
    const isBegin = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/.test(line);
    if (!isBegin && !(isInKey && keyLine.test(line))) {
      isInKey = false;
      return line;
    }
    isInKey = !line.includes("-----END");
    const [edge = ""] = /^[-+ ]?/.exec(line) ?? [];
    return edge + line.slice(edge.length).replace(isBegin ? keyRun : shortKeyRun, "…");
  });
  return lines.join("\n");
}

const keyRun = /[A-Za-z0-9+/=]{16,}/g;
/** The last line of a key may be as short as that; its words, and those of its head, are longer and have no such sign. */
const shortKeyRun = /[A-Za-z0-9+/=]{16,}|(?<![A-Za-z-])[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z :-])/g;
/** A line that can stand between the first and the last one of a key, with what a diff or a string puts around it. */
const keyLine =
  /^[-+ ]?[\s"'`,>|*#+\\]*(?:(?:Proc-Type|DEK-Info):.{0,100}|[A-Za-z0-9+/=]*(?:\\[nrt])*[\s"'`,+\\]*|-----END .*)$/;

/** Where the first secret begins to be one; -1 where there is none. */
export function secretAt(text: string): number {
  const at = text.search(secret);
  return at === -1 ? -1 : at + shownCharacters;
}

const shownCharacters = 4;

/** What stands between the lines of a key: blanks, also as a string writes them, and what begins or ends a quote. */
const between = "(?:\\s|\\\\(?:[nrt]|(?=\\n))|[\"'`,>|*#]|\\+(?=\\s)){0,200}";
const keyEnd = "-----END [A-Z ]{0,30}PRIVATE KEY-----";

/**
 * Only what can be part of a key goes with its first line: a file whose name is such a line would otherwise take away all
 * that is said after it.
 */
const privateKey = [
  "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----",
  `(?:${between}(?:Proc-Type|DEK-Info):[^\\n\\\\]{0,100}){0,2}`,
  `(?:(?:${between}[A-Za-z0-9+/=]{16,1000}){1,500}(?:${between}[A-Za-z0-9+/=]{0,15}${between}${keyEnd})?`,
  `|${between}[A-Za-z0-9+/=]{1,15}${between}${keyEnd})`,
].join("");

const token =
  "\\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\\w{20,255}|glpat-[\\w-]{20,64}|npm_[A-Za-z0-9]{30,64}|sk-[\\w-]{20,255}|sk_live_[A-Za-z0-9]{16,128}|AKIA[0-9A-Z]{16}|AIza[\\w-]{30,64}|xox[abposr]-[\\w-]{10,255}|eyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}\\.[\\w-]{10,2000})";

/** The shapes that can be told from other text for certain; the rules reviewer knows more, and judges them. */
const secret = new RegExp(`${token}|${privateKey}`, "g");
const tokens = new RegExp(token, "g");
