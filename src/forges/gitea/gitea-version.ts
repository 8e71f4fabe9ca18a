/** Of a Forgejo: the Gitea version that its API is like. */
export interface GiteaVersion {
  readonly product: "gitea" | "forgejo";
  readonly major: number;
  readonly minor: number;
}

/** `1.21.8`, `1.26.0+dev-123-gabcdef`, `11.0.1+gitea-1.22.0`. */
export function readVersion(text: string): GiteaVersion | undefined {
  const forked = /\+gitea-(\d+)\.(\d+)/.exec(text);
  const parts = forked ?? /^v?(\d+)\.(\d+)/.exec(text);
  if (parts === null) return undefined;
  return { product: forked === null ? "gitea" : "forgejo", major: Number(parts[1]), minor: Number(parts[2]) };
}

export function isFrom(version: GiteaVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
