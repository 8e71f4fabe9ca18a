import type { Tag } from "#core/commands/html-tags.ts";

/** Elements that a page does not look into: everything up to their own closing tag is swallowed, tags too. */
const blindNames: ReadonlySet<string> = new Set([
  "iframe",
  "noembed",
  "noframes",
  "noscript",
  "plaintext",
  "script",
  "style",
  "textarea",
  "title",
  "xmp",
]);

/** Elements that are not shown, but may hold others of their name. */
const hiddenNames: ReadonlySet<string> = new Set(["object", "template"]);

/** The elements that are open in a stretch of HTML and hide what they hold. */
export interface Swallowing {
  blind: { readonly name: string; readonly start: number } | null;
  readonly hidden: Map<string, { readonly start: number; depth: number }>;
}

export function swallowNothing(): Swallowing {
  return { blind: null, hidden: new Map() };
}

export function isBlind(name: string): boolean {
  return blindNames.has(name);
}

/** Takes note of a tag; returns where the element opened that it closes. */
export function seeTag(swallowing: Swallowing, tag: Tag, start: number): number | null {
  const { name, isClosing } = tag;
  const { blind, hidden } = swallowing;
  if (blind !== null) {
    if (!isClosing || name !== blind.name) return null;
    swallowing.blind = null;
    return blind.start;
  }
  if (!isClosing && blindNames.has(name)) swallowing.blind = { name, start };
  if (!hiddenNames.has(name)) return null;
  const open = hidden.get(name);
  if (open === undefined) {
    if (!isClosing) hidden.set(name, { start, depth: 1 });
    return null;
  }
  open.depth += isClosing ? -1 : 1;
  if (open.depth > 0) return null;
  hidden.delete(name);
  return open.start;
}

/** Where the first element opened that is still open. */
export function swallowedFrom({ blind, hidden }: Swallowing): number | null {
  const starts = [...hidden.values(), ...(blind === null ? [] : [blind])].map((open) => open.start);
  return starts.length === 0 ? null : Math.min(...starts);
}
