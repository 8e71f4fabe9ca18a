const charactersMax = 200;

/** Git sets no limit to names. The end tells more than the beginning. */
export function shortPath(path: string): string {
  if (path.length <= charactersMax) return path;
  return `…${path.slice(1 - charactersMax).replace(/^[\udc00-\udfff]/, "")}`;
}
