/** Answers where the next one stands at or after a place; asked in rising order, a whole text costs one pass. */
export type FindNext = (from: number) => number | null;

/** Remembers the last answer, so that a thousand openers before one closer look for it once. */
export function findNext(search: (from: number) => number | null): FindNext {
  let found: number | null = -1;
  return (from) => {
    if (found !== null && found < from) found = search(from);
    return found;
  };
}

/**
 * Runs of backticks in a stretch of text by their length: a code span ends at the next run that is exactly as long as
 * the one that opened it. Asked in rising order, like `FindNext`.
 */
export function backtickRuns(place: {
  readonly body: string;
  readonly start: number;
  readonly end: number;
}): (length: number, from: number) => number | null {
  const runs = new Map<number, { readonly starts: number[]; next: number }>();
  for (let at = place.start; at < place.end; at++) {
    const length = backticksAt(place.body, at, place.end);
    if (length === 0) continue;
    const same = runs.get(length);
    if (same === undefined) runs.set(length, { starts: [at], next: 0 });
    else same.starts.push(at);
    at += length;
  }
  return (length, from) => {
    const same = runs.get(length);
    if (same === undefined) return null;
    while ((same.starts[same.next] ?? from) < from) same.next++;
    return same.starts[same.next] ?? null;
  };
}

export function backticksAt(body: string, start: number, end: number): number {
  let at = start;
  while (at < end && body.charCodeAt(at) === 0x60) at++;
  return at - start;
}

/** The next `</name>`, in either case, with blanks before its end or not. */
export function findClosingTag(body: string, from: number, name: string): number | null {
  for (let at = body.indexOf("</", from); at !== -1; at = body.indexOf("</", at + 2)) {
    if (!isNameAt(body, at + 2, name)) continue;
    let end = at + 2 + name.length;
    while (/\s/.test(body[end] ?? "")) end++;
    if (body[end] === ">") return at;
  }
  return null;
}

/** ASCII only: the Kelvin sign lower-cases to `k`, and is none. */
export function isNameAt(body: string, start: number, lowerName: string): boolean {
  if (start + lowerName.length > body.length) return false;
  for (let index = 0; index < lowerName.length; index++) {
    if (asciiLower(body.charCodeAt(start + index)) !== lowerName.charCodeAt(index)) return false;
  }
  return true;
}

function asciiLower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
