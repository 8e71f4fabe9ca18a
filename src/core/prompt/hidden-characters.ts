/** People do not see these and a model does: controls, zero widths, fillers, variation selectors, tags, notation. */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- each of them is meant, one by one.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+/gu;

/** A longer run carries a message that need not be read, so it is counted. */
const spelledMax = 4;

/** But for the few that scripts and emoji are written with. */
export function showHiddenCharacters(text: string): string {
  return replaceHidden(text, spell);
}

export function withoutHiddenCharacters(text: string): string {
  return replaceHidden(text, () => "");
}

function replaceHidden(text: string, replacement: (run: string) => string): string {
  // Most code is plain ASCII, and this is an order of magnitude faster than looking for each of them.
  if (!/[^\t\n -~]/.test(text)) return text;
  return text.replace(/\r\n/g, "\n").replace(hidden, (run: string, index: number, whole: string) => {
    return isWriting(run, { before: whole.charAt(index - 1), after: whole.charAt(index + run.length) })
      ? run
      : replacement(run);
  });
}

/** What was only counted cannot come back. */
export function restoreHiddenCharacters(text: string): string {
  return text.replace(/\[U\+([0-9A-F]{4,6})\]/g, (mark, digits: string) => {
    const point = Number.parseInt(digits, 16);
    const character = point <= 0x10_ff_ff ? String.fromCodePoint(point) : mark;
    return character.replace(hidden, "") === "" ? character : mark;
  });
}

/** A joiner beyond Latin-1, or a variation selector behind a sign. One alone says nothing; a message needs a run. */
function isWriting(run: string, { before, after }: { readonly before: string; readonly after: string }): boolean {
  if (!isBeyondLatin(before)) return false;
  return run === "\ufe0e" || run === "\ufe0f" || (isBeyondLatin(after) && /^\ufe0f?[\u200c\u200d]$/.test(run));
}

function isBeyondLatin(character: string): boolean {
  return character > "\u00ff";
}

function spell(run: string): string {
  const points = Array.from(run, (character) => character.codePointAt(0) ?? 0);
  if (points.length > spelledMax) return `[${points.length} hidden characters]`;
  return points.map((point) => `[U+${point.toString(16).toUpperCase().padStart(4, "0")}]`).join("");
}

export function hasHiddenCharacters(text: string): boolean {
  return showHiddenCharacters(text) !== text;
}
