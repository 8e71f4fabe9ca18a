import type { PullState } from "#forges/sandbox/pull-state.ts";

type Titled = Pick<PullState, "isDraft"> & { readonly title: string };

/** What a title begins with that makes a draft of a pull, in any case of letters, unless the operator says otherwise. */
const prefixes = ["WIP:", "[WIP]"] as const;

/** There is no other draft there: one that the sandbox holds for a draft has the title of one. */
export function titleOf({ title, isDraft }: Titled): string {
  return isDraft && !hasPrefix(title) ? `${prefixes[0]} ${title}` : title;
}

export function isWorkInProgress({ title, isDraft }: Titled): boolean {
  return isDraft || hasPrefix(title);
}

function hasPrefix(title: string): boolean {
  const upper = title.toUpperCase();
  return prefixes.some((prefix) => upper.startsWith(prefix));
}
