/** What a file is to a reader with little room: the first are read first. Generated files are not read at all. */
export type FileRank = (typeof fileRanks)[number];

export const fileRanks = ["source", "settings", "test", "prose", "generated"] as const;

/**
 * By the name alone. A note in the file that it is generated is not believed: whoever wants to keep code from being read
 * could write one. A name can be seen in the list of what was left out.
 */
export function rankOf(path: string): FileRank {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (lockName.test(name) || generatedName.test(name) || generatedFolder.test(path)) return "generated";
  if (testName.test(name) || testFolder.test(path)) return "test";
  if (proseName.test(name)) return "prose";
  return settingsName.test(name) ? "settings" : "source";
}

const lockName =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json|go(?:\.work)?\.sum|bun\.lockb?|\.terraform\.lock\.hcl|.+\.lock)$/i;

const generatedName =
  /\.(?:min\.[cm]?js|min\.css|[cm]?js\.map|css\.map|snap|pb\.(?:go|cc|h)|g\.dart|freezed\.dart|designer\.cs)$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|d\.ts)$|[-_.]generated\.[a-z]+$/i;

const generatedFolder =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|__generated__|__snapshots__|\.yarn\/(?:cache|releases|plugins))\//i;

const testName = /[._-](?:test|tests|spec|cy|e2e)\.[a-z]+$|^test_.*\.py$|^conftest\.py$|Tests?\.(?:java|kt|cs|swift)$/i;
const testFolder = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|__mocks__|e2e)\//i;

const proseName =
  /\.(?:md|mdx|markdown|rst|txt|adoc|org|tex|po)$|^(?:LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|CONTRIBUTORS)$/i;

const settingsName = /\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|xml|csv|svg|properties|lock)$/i;
