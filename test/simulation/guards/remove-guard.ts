import type { Guard } from "./guard.ts";

type Removal = Pick<Guard, "name" | "file" | "text" | "instead">;

/** The source without the guard. Rejects a text that is not there exactly once: then nobody knows what was removed. */
export function removeGuard(guard: Removal, source: string): string {
  const count = countOf(source, guard.text);
  if (count !== 1) throw new Error(`${guard.name}: its text occurs ${count} times in ${guard.file}`);
  const [before = "", after = ""] = source.split(guard.text);
  return `${before}${guard.instead}${after}`;
}

function countOf(source: string, text: string): number {
  return text === "" ? 0 : source.split(text).length - 1;
}
