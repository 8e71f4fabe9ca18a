const charactersMax = 200;

/**
 * A path for lists. Git sets no limit to names, and a few of some kilobytes would leave no room for what is said about other
 * files. The end tells more than the beginning.
 */
export function shortPath(path: string): string {
  if (path.length <= charactersMax) return path;
  return `…${path.slice(1 - charactersMax).replace(/^[\udc00-\udfff]/, "")}`;
}
