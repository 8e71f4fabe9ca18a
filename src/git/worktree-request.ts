import { type BytePath, diffPathOf } from "#git/byte-path.ts";
import { isGitDirectoryName } from "#git/unsafe-name.ts";

export function isJobName(job: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(job);
}

export function sumBytes(entries: Iterable<{ readonly bytes: number | null }>): number {
  let sum = 0;
  for (const { bytes } of entries) sum += bytes ?? 0;
  return sum;
}

/** Would touch a git directory. Git refuses it too, but says why in prose alone. */
export function isUnwritable({ path, mode }: { readonly path: BytePath; readonly mode: string }): boolean {
  const segments = diffPathOf(path).text.split("/");
  if (segments.some((segment) => /^\.{0,2}$/.test(segment) || isGitDirectoryName(segment))) return true;
  return mode === "120000" && segments.at(-1)?.toLowerCase() === ".gitmodules";
}
