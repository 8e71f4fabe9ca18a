/** Only ASCII letters: forges allow no others in names, and Unicode folding makes a Kelvin sign a "k". */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
