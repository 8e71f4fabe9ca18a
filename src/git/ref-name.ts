import { GitError } from "#ports/git.ts";

/** Longer names reach the limit of file systems, and no forge makes them. */
const refBytesMax = 1000;

export function readRef(ref: string): string {
  if (!isRefName(ref)) throw new GitError("bad_request", "not the full name of a ref");
  return ref;
}

/** As `git check-ref-format`. A full name begins with `refs/`, so it is never taken for an option. */
export function isRefName(ref: string): boolean {
  if (!ref.startsWith("refs/") || Buffer.byteLength(ref) > refBytesMax) return false;
  if (/\p{Surrogate}|[ ~^:?*[\\]|\.\.|@\{/u.test(ref) || Array.from(ref).some(isControl)) return false;
  return !ref.endsWith(".") && ref.split("/").every(isRefPart);
}

/** Git looks at bytes, so only the controls of ASCII count. */
function isControl(character: string): boolean {
  return character < " " || character === "\u007f";
}

function isRefPart(part: string): boolean {
  return part !== "" && !part.startsWith(".") && !part.endsWith(".lock");
}
