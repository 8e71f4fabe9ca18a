import { isTestPath, natureOfName } from "#core/files/file-nature.ts";

/** What a file is to a reader with little room: the first are read first. Generated files are not read at all. */
export type FileRank = (typeof fileRanks)[number];

export const fileRanks = ["source", "settings", "test", "prose", "generated"] as const;

/**
 * By the name alone. A note in the file that it is generated does not count: an author who wants to keep code from
 * being read could write one. The name is visible in the list of skipped files.
 */
export function rankOf(path: string): FileRank {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const nature = natureOfName(path);
  // What a build left is read: where a repository keeps it, it is what runs.
  if (nature !== "written" && nature !== "built") return "generated";
  if (isTestPath(path)) return "test";
  if (proseName.test(name)) return "prose";
  return settingsName.test(name) ? "settings" : "source";
}

const proseName =
  /\.(?:md|mdx|markdown|rst|txt|adoc|org|tex|po)$|^(?:LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|CONTRIBUTORS)$/i;

const settingsName = /\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|xml|csv|svg|properties|lock)$/i;
