/** Reads dates such as 2026-03-31. */
export function endsOn(text) {
  const [year, month, day] = text.split("-").map(Number);
  return new Date(year, month, day);
}
