export type HiddenKind = "bidi" | "invisible" | "tag";

export interface HiddenCharacter {
  readonly kind: HiddenKind;
  readonly index: number;
  readonly length: number;
  readonly point: number;
}

/** Most lines of code have none of them. */
const candidates =
  // oxlint-disable-next-line no-misleading-character-class -- the combining characters are meant one by one.
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

const blackFlag = 0x1f3f4;

/** Not what writing systems need: joiners, marks of direction, soft hyphens, the tags of a flag, a byte order mark. */
export function findHiddenCharacters(text: string, isFirstLine: boolean): readonly HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  for (const match of text.matchAll(candidates)) {
    const { index } = match;
    const point = text.codePointAt(index) ?? 0;
    const kind = kindOf(point);
    const isMark = point === 0xfeff && ((index === 0 && isFirstLine) || isQuotedAlone(text, index));
    if (kind === null || isMark || isNeeded(text, { index, length: match[0].length, point })) continue;
    found.push({ kind, index, length: match[0].length, point });
  }
  return found;
}

/** Code that removes byte order marks holds one alone in quotes. */
function isQuotedAlone(text: string, index: number): boolean {
  return (
    /(?:["'`]|\/\^?)$/.test(text.slice(Math.max(0, index - 2), index)) &&
    /^["'`/]/.test(text.slice(index + 1, index + 2))
  );
}

function kindOf(point: number): HiddenKind | null {
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069)) return "bidi";
  if (point >= 0xe0000 && point <= 0xe007f) return "tag";
  // Marks of direction and soft hyphens only help with the layout of prose.
  return point === 0xad || point === 0x61c || point === 0x200e || point === 0x200f ? null : "invisible";
}

function isNeeded(text: string, { index, length, point }: Omit<HiddenCharacter, "kind">): boolean {
  const before = pointBefore(text, index);
  const after = text.codePointAt(index + length) ?? 0;
  const isJoiner = point === 0x200c || point === 0x200d;
  if (isJoiner || (point >= 0xe0100 && point <= 0xe01ef)) return before > 0x7f && (after > 0x7f || !isJoiner);
  // In scripts without spaces, a break of no width tells where a line may end.
  if (point === 0x200b) return before >= 0xe00 && after >= 0xe00;
  return point >= 0xe0020 && point <= 0xe007f && isInFlag(text, index);
}

/** The tags of a flag follow it directly: at most six letters and the end. */
function isInFlag(text: string, index: number): boolean {
  let at = index;
  for (let steps = 0; steps < 8 && at > 0; steps += 1) {
    const point = pointBefore(text, at);
    if (point === blackFlag) return true;
    if (point < 0xe0020 || point > 0xe007f) return false;
    at -= 2;
  }
  return false;
}

function pointBefore(text: string, index: number): number {
  if (index === 0) return 0;
  const last = text.charCodeAt(index - 1);
  const isLow = last >= 0xdc00 && last <= 0xdfff;
  return text.codePointAt(isLow && index > 1 ? index - 2 : index - 1) ?? 0;
}
