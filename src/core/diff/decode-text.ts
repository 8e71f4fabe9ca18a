// Removing a byte order mark would move every column of the first line.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** What is not UTF-8 becomes U+FFFD, so exact comparisons use offsets, not text. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
