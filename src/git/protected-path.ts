import { matchesPath, type PathPattern, readPattern } from "#core/approval/path-pattern.ts";
import { isGitDirectoryName } from "#git/unsafe-name.ts";

/** Files from which the known forges and CI systems take what they run, and who has to approve. */
const ciPatterns: readonly PathPattern[] = patterns([
  "/.github/workflows/",
  "/.github/actions/",
  "/.gitea/workflows/",
  "/.forgejo/workflows/",
  "/.circleci/",
  "/.buildkite/",
  "/.woodpecker/",
  "/.woodpecker.yml",
  "/.woodpecker.yaml",
  "/.drone.yml",
  "/.gitlab-ci.yml",
  "/.travis.yml",
  "/azure-pipelines.yml",
  "/bitbucket-pipelines.yml",
  "/appveyor.yml",
  "/jenkinsfile",
]);

/** What git itself, or Drover, reads from a repository. */
const ownPatterns: readonly PathPattern[] = patterns([".gitmodules", "/.drover.yml", "/.drover.yaml"]);

export interface Protection {
  readonly protectedPaths: readonly PathPattern[];
  readonly ciPaths: "protected" | "free";
}

/** In whatever case it is written: some systems see no difference. */
export function isProtected(path: string, { protectedPaths, ciPaths }: Protection): boolean {
  const segments = path.split("/");
  if (segments.some(isGitDirectoryName)) return true;
  const all = [...ownPatterns, ...(ciPaths === "protected" ? ciPatterns : []), ...protectedPaths];
  const folded = path.toLowerCase().split("/");
  return all.some((pattern) => matchesPath(pattern, segments) || matchesPath(pattern, folded));
}

function patterns(texts: readonly string[]): readonly PathPattern[] {
  return texts.flatMap((text) => {
    const read = readPattern(text);
    return read.kind === "pattern" ? [read.pattern] : [];
  });
}
