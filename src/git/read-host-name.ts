import { GitError } from "#ports/git.ts";

/** `name` or `owner/name`, parts safe as folders and without `.git` at the end: no repository can lie inside another. */
export function readHostName(name: string): string {
  if (!isHostName(name)) throw new GitError("bad_request", "not a name for a hosted repository");
  return name;
}

export function isHostName(name: string): boolean {
  const parts = name.split("/");
  return parts.length <= 2 && parts.every((part) => partPattern.test(part) && !/\.(?:git|lock)$/i.test(part));
}

const partPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
