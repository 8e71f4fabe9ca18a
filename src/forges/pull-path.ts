export interface PullPath {
  /** What the server is served below: empty, or a path with a slash before it. */
  readonly root: string;
  readonly word: "pull" | "pulls";
  readonly repository: string;
  readonly number: string;
}

/**
 * GitHub's pulls are at `/owner/name/pull/7`, Gitea's at `/owner/name/pulls/7`, perhaps below a path of its own. Pages of
 * a pull (`/files`, `/commits`) and places on them mean the pull. Undefined for everything else.
 */
export function readPullPath(pathname: string): PullPath | undefined {
  const found = pullPath.exec(pathname)?.groups;
  if (found === undefined) return undefined;
  const { root = "", owner = "", name = "", word, number = "" } = found;
  return { root, word: word === "pulls" ? "pulls" : "pull", repository: `${owner}/${name}`, number };
}

const pullPath =
  /^(?<root>(?:\/[^/]+)*?)\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<word>pulls?)\/(?<number>[1-9]\d{0,8})(?:\/.*)?$/;
