/** A pull as the address bar of a browser names it. */
export interface PullAddress {
  readonly kind: "github" | "gitea";
  /** The root of GitHub's API, or of the Gitea server. */
  readonly url: string;
  readonly repository: string;
  readonly number: string;
}

/**
 * GitHub's pulls are at `/owner/name/pull/7`, Gitea's at `/owner/name/pulls/7`, perhaps below a path of its own. Pages of
 * a pull (`/files`, `/commits`) and places on them mean the pull. Undefined for everything else.
 */
export function findPullAddress(text: string): PullAddress | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { origin, host, pathname } = new URL(text);
  const found = pullPath.exec(pathname)?.groups;
  if (found === undefined) return undefined;
  const { root = "", owner = "", name = "", word = "", number = "" } = found;
  const place = { repository: `${owner}/${name}`, number };
  if (word === "pulls") return { kind: "gitea", url: `${origin}${root}`, ...place };
  // What is below a path there is no repository of GitHub.
  if (root !== "") return undefined;
  return { kind: "github", url: isCloud(host) ? `https://api.${host}` : `${origin}/api/v3`, ...place };
}

/** Of github.com, and of enterprises whose data stays in one country, the API has a name of its own. */
function isCloud(host: string): boolean {
  return host === "github.com" || /^[^.]+\.ghe\.com$/.test(host);
}

const pullPath =
  /^(?<root>(?:\/[^/]+)*?)\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<word>pulls?)\/(?<number>[1-9]\d{0,8})(?:\/.*)?$/;
