export interface PullPath {
  readonly root: string;
  readonly word: "pull" | "pulls";
  readonly repository: string;
  readonly number: string;
}

/** GitHub: `/owner/name/pull/7`, Gitea: `/owner/name/pulls/7`, perhaps below a path. Pages of a pull mean the pull. */
export function readPullPath(pathname: string): PullPath | undefined {
  const found = pullPath.exec(pathname)?.groups;
  if (found === undefined) return undefined;
  const { root = "", owner = "", name = "", word, number = "" } = found;
  return { root, word: word === "pulls" ? "pulls" : "pull", repository: `${owner}/${name}`, number };
}

const pullPath =
  /^(?<root>(?:\/[^/]+)*?)\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<word>pulls?)\/(?<number>[1-9]\d{0,8})(?:\/.*)?$/;
