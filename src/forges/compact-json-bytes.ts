/**
 * Whether any byte is below the space. In a string JSON forbids them, elsewhere they would be white space or nothing
 * that is allowed. Four bytes at a time: looking at each one would cost more than all the rest of the reading.
 */
export function hasControlBytes(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  if (length < 2 * wordBytes) return hasControl(bytes, 0, length);
  const start = (wordBytes - (byteOffset % wordBytes)) % wordBytes;
  const words = new Int32Array(buffer, byteOffset + start, Math.floor((length - start) / wordBytes));
  const end = start + words.length * wordBytes;
  return hasControl(bytes, 0, start) || hasControl(bytes, end, length) || hasControlWords(words);
}

/** Whether every backslash is the beginning of an escape that JSON knows. */
export function areEscapesSound(text: string): boolean {
  let at = text.indexOf("\\");
  while (at >= 0) {
    const letter = text.charAt(at + 1);
    if (letter === "u") {
      if (!fourHex.test(text.slice(at + 2, at + 6))) return false;
    } else if (letter === "" || !escapable.includes(letter)) return false;
    at = text.indexOf("\\", at + 2);
  }
  return true;
}

const wordBytes = 4;
const space = 0x20;

const escapable = '"\\/bfnrt';
const fourHex = /^[0-9a-fA-F]{4}$/;

function hasControl(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? space) < space) return true;
  return false;
}

/**
 * The subtraction sets the highest bit of each byte that was below the space, and of those that had it set already,
 * which the complement takes out again. Four words a round, by index: a loop over the elements took ten times as long.
 */
function hasControlWords(words: Int32Array): boolean {
  const rest = words.length % 4;
  let seen = 0;
  for (let at = 0; at < rest; at++) seen |= below(words[at] ?? 0);
  for (let at = rest; at < words.length; at += 4) {
    seen |= below(words[at] ?? 0) | below(words[at + 1] ?? 0) | below(words[at + 2] ?? 0) | below(words[at + 3] ?? 0);
  }
  return (seen & 0x80808080) !== 0;
}

function below(word: number): number {
  return (word - 0x20202020) & ~word;
}
