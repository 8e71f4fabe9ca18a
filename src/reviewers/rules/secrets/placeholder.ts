/** A word of examples, a keyboard row, few different characters: random keys practically never look like this. */
export function isPlaceholder(body: string): boolean {
  const letters = body.replace(/[^A-Za-z0-9]/g, "");
  return words.test(letters) || repeats.test(letters) || hasRow(letters) || new Set(letters).size < distinctMin;
}

/** Sixteen random characters of 32 have fewer different ones once in a million times. */
const distinctMin = 7;

const words =
  /example|placeholder|replace|your|dummy|fake|sample|secret|redacted|changeme|insert|test(?:ing|key|token)|foobar|notreal|xxxx/i;

const repeats = /(.)\1{4}/;

const rows = ["0123456789", "9876543210", "abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "qwertyuiop"];
const rowLength = 5;

function hasRow(letters: string): boolean {
  const small = letters.toLowerCase();
  return rowParts.some((part) => small.includes(part));
}

const rowParts: readonly string[] = rows.flatMap((row) =>
  Array.from({ length: row.length - rowLength + 1 }, (_, index) => row.slice(index, index + rowLength)),
);
