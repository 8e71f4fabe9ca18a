/** The source of an expression for the first and the last line of a key. */
export const keyWords = "[A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?";

/** Where the first line is cut off, the last line or the name of the file tells. No line goes away. */
export function maskKeyLines(text: string, path: string | null = null): string {
  const isKey = path !== null && keyName.test(path);
  if (!isKey && !hints.test(text)) return text;
  const lines = text.split("\n");
  maskFromFirstLine(lines);
  maskUpToLastLine(lines);
  maskInKeyFiles(lines, isKey);
  return lines.join("\n");
}

/** As in a list of what was found: it is part of a key or of no use to anybody. */
export function maskLoneKeyLine(line: string): string {
  return isBase64Line(line) ? masked(line, keyRun) : line;
}

/** Most texts have none of these, and need not be taken apart. */
const hints = /PRIVATE KEY(?: BLOCK)?-----|^=== .*(?:\.(?:pem|key|p8|pk8|ppk|asc|gpg)|id_[a-z]+\d*)\b|^@@ \d+ \S{60}/m;

/** By the names that people give to files with keys in them. */
const keyName = /\.(?:pem|key|p8|pk8|ppk|asc|gpg)$|(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)[^/.]*$/i;

const begins = new RegExp(`-----BEGIN ${keyWords}-----`);
const ends = new RegExp(`-----END ${keyWords}-----`);

const keyRun = /[A-Za-z0-9+/=]{16,}/g;
/** The last line of a key may be as short; its words and those of its head are longer and have no such sign. */
const shortKeyRun = /[A-Za-z0-9+/=]{16,}|(?<![A-Za-z-])[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z :-])/g;
/** With what a diff or a string puts around it. */
const keyLine =
  /^[-+ ]?[\s"'`,>|*#+\\]{0,200}(?:(?:Proc-Type|DEK-Info|Version|Comment):.{0,100}|[A-Za-z0-9+/=]*(?:\\[nrt]){0,3}[\s"'`,+\\]{0,200}|-----END .*)$/;
const bodyLine = /^[-+ ]?[\s"'`,>|*#+\\]{0,200}[A-Za-z0-9+/=]+(?:\\[nrt]){0,3}[\s"'`,+\\]{0,200}$/;
/** Keys are written with 64, 70 or 76 characters in a line. A hunk may have one for its heading. */
const longLine =
  /^(?:@@ \d+ |[-+ ]?[\s"'`,>|*#+\\]{0,200})([A-Za-z0-9+/]{60,}={0,2})(?:\\[nrt]){0,3}[\s"'`,+\\]{0,200}$/;

function masked(line: string, run: RegExp): string {
  const [edge = ""] = /^[-+ ]?/.exec(line) ?? [];
  return edge + line.slice(edge.length).replace(run, "…");
}

/** A digest has no capitals, and a name has no digits or is not as long. */
function isBase64Line(line: string): boolean {
  const run = longLine.exec(line)?.[1];
  return run !== undefined && /[a-z]/.test(run) && /[A-Z]/.test(run) && /[0-9]/.test(run);
}

function maskFromFirstLine(lines: string[]): void {
  let isInKey = false;
  for (const [index, line] of lines.entries()) {
    const isBegin = begins.test(line);
    if (isBegin || (isInKey && keyLine.test(line))) {
      isInKey = !line.includes("-----END");
      lines[index] = masked(line, isBegin ? keyRun : shortKeyRun);
    } else {
      isInKey = false;
    }
  }
}

/** One whole line of base64 is enough, and short ones go with it. */
function maskUpToLastLine(lines: string[]): void {
  for (const [end, line] of lines.entries()) {
    if (!ends.test(line)) continue;
    let first = end;
    while (first > 0 && bodyLine.test(lines[first - 1] ?? "")) first -= 1;
    if (!lines.slice(first, end).some(isBase64Line)) continue;
    for (let index = first; index < end; index += 1) {
      const inside = lines[index] ?? "";
      lines[index] = masked(inside, isBase64Line(inside) ? keyRun : shortKeyRun);
    }
  }
}

/** What a certificate says is for everybody, and such files have them as well. */
function maskInKeyFiles(lines: string[], isKeyFile: boolean): void {
  let isKey = isKeyFile;
  let isPublic = false;
  for (const [index, line] of lines.entries()) {
    const head = /^=== (.*?)(?: \([^()]*\))*$/.exec(line)?.[1];
    if (head !== undefined) isKey = keyName.test(head);
    if (head !== undefined || line.includes("-----")) isPublic = line.includes("-----BEGIN") && !begins.test(line);
    const isHeading = line.startsWith("@@ ");
    if (isHeading) isPublic = false;
    if ((isKey && !isPublic) || isHeading) lines[index] = maskLoneKeyLine(line);
  }
}
