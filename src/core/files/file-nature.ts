/** `built`: nobody writes it by hand, and yet it is what runs where a repository keeps it. */
export type NamedNature = "written" | "built" | "generated" | "vendored" | "lock";

export function natureOfName(path: string): NamedNature {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (lockName.test(name)) return "lock";
  if (vendoredFolder.test(path)) return "vendored";
  if (generatedName.test(name) || generatedFolder.test(path)) return "generated";
  return builtFile.test(path) ? "built" : "written";
}

export function isTestPath(path: string): boolean {
  return testFolder.test(path) || testName.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Known names alone: a file with such a name is not read, and anything could be called `.lock`. */
const lockName =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json|go(?:\.work)?\.sum|bun\.lockb?|\.terraform\.lock\.hcl|Package\.resolved|(?:yarn|cargo|poetry|uv|pdm|pipfile|gemfile|composer|mix|pubspec|podfile|flake|deno|pixi)\.lock)$/i;

const vendoredFolder =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|\.yarn\/(?:releases|plugins|cache))\//i;

const generatedName =
  /(?:\.min\.(?:[cm]?js|css)|\.bundle\.js|\.(?:[cm]?js|css)\.map|\.snap|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|d\.ts)|\.g\.dart|\.freezed\.dart|\.designer\.cs|[-_.]generated\.[a-z]+)$/i;

const generatedFolder = /(?:^|\/)(?:__generated__|__snapshots__)\//i;

const builtFile = /(?:^|\/)dist\/.*\.(?:[cm]?js|css|d\.[cm]?ts)$/i;

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures?|__fixtures__|mocks?|__mocks__|e2e|cypress|testing|test-utils)\//i;

/** Capitals count in names such as `OrderTest.java`: `latest.java` is none. */
const testName =
  /\.(?:test|tests|spec|cy|e2e|stories)\.[a-z]+$|_(?:test|spec)\.[a-z]+$|^test_[^/]*\.py$|^conftest\.py$|Tests?\.(?:java|kt|cs|swift|scala|php)$/;
