/** `repository.id` is the field `id` of the field `repository`. */
export interface FieldTree {
  readonly name: string;
  readonly fields: readonly FieldTree[];
}

/** No path may be the beginning of another. */
export function fieldTree(paths: readonly string[]): readonly FieldTree[] {
  const rests = new Map<string, string[]>();
  for (const path of paths) {
    const dot = path.indexOf(".");
    const name = dot < 0 ? path : path.slice(0, dot);
    const known = rests.get(name) ?? [];
    rests.set(name, dot < 0 ? known : [...known, path.slice(dot + 1)]);
  }
  return [...rests].map(([name, rest]) => ({ name, fields: fieldTree(rest) }));
}
