/**
 * A login or a team's name in the form in which two spellings of it are equal. Only ASCII letters are folded: forges
 * allow no others in names, and folding all of Unicode would make a Kelvin sign pass for a "k".
 */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
