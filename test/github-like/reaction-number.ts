/** Reactions have no id in the sandbox; where, who and which make one. */
export function reactionNumber(...parts: readonly string[]): number {
  let number = 11;
  for (const character of parts.join(" ")) number = (number * 33 + (character.codePointAt(0) ?? 0)) % 1_999_999_973;
  return number;
}
