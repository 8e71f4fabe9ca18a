// A byte order mark is content like any other: taking it away would move every column of the first line.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Bytes as text. What is not UTF-8 becomes U+FFFD, so offsets and not text are what exact comparisons use. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
