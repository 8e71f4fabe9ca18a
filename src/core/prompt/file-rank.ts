import { isTestPath, natureOfName } from "#core/files/file-nature.ts";

export type FileRank = (typeof fileRanks)[number];

export const fileRanks = ["source", "settings", "test", "prose", "generated"] as const;

/** By the name alone: an author could write a note that a file is generated, to keep it from being read. */
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
