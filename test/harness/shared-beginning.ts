/** What two texts have in common from their first character on. */
export function sharedBeginning(left: string, right: string): string {
  let end = 0;
  while (end < left.length && left[end] === right[end]) end += 1;
  return left.slice(0, end);
}
