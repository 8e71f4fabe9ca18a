import type { DiffPath } from "#core/diff/diff-path.ts";

/** On some system: by case, by characters that it skips, by short names. */
export function isGitDirectoryName(segment: string): boolean {
  const seen = segment
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return seen === ".git" || /^git~\d+$/.test(seen);
}

/** People could not see what it is, or systems would disagree. */
export function isUnsafeName(path: DiffPath): boolean {
  if (path.troubles.length > 0 || /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(path.text)) return true;
  return path.text.split("/").some((segment) => /[. ]$/.test(segment) || Buffer.byteLength(segment) > segmentBytesMax);
}

/** No usual file system takes a longer name. */
const segmentBytesMax = 255;
