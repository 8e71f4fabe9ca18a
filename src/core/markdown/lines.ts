/** LF, CR or both, as in CommonMark; U+2028 is a blank, since no forge breaks there. */
export function lineEnd(body: string, start: number): number {
  let at = start;
  while (at < body.length && !isLineBreak(body.charCodeAt(at))) at++;
  return at;
}

export function nextLine(body: string, end: number): number {
  return body.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, body.length);
}

export function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** Null where more than blanks stands before. */
export function lineStartBefore(body: string, at: number): number | null {
  let start = at;
  while (start > 0 && isSpace(body, start - 1)) start--;
  return start === 0 || isLineBreak(body.charCodeAt(start - 1)) ? start : null;
}

export function isSpace(body: string, at: number): boolean {
  return !isLineBreak(body.charCodeAt(at)) && /\s/.test(body.charAt(at));
}
