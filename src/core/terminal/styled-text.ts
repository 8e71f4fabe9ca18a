/** Bold red, yellow, bold, dim, bold red, green, red, green. */
const codes = {
  blocking: "1;31",
  problem: "33",
  path: "1",
  faint: "2",
  mark: "1;31",
  added: "32",
  removed: "31",
  good: "32",
} as const;

export type TextStyle = keyof typeof codes;

export function styled(text: string, style: TextStyle, { hasColours }: { readonly hasColours: boolean }): string {
  return hasColours && text !== "" ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
}
