/** What a server of some version can do, as far as versions differ in what is served here. */
export interface GiteaVersion {
  /** As `/version` tells it: "1.25.5", or "11.0.0+gitea-1.22.0" of a Forgejo. */
  readonly text: string;
  readonly isForgejo: boolean;
  /** Whether it is this minor version of Gitea's first, or a later one. A Forgejo names the one that it came from. */
  isFrom(minor: number): boolean;
}

export function readVersion(text: string): GiteaVersion {
  const [, forked] = /\+gitea-(.+)$/.exec(text) ?? [];
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(forked ?? text) ?? [];
  if (major !== "1" || minor === undefined) throw new Error(`no version of Gitea: ${text}`);
  return { text, isForgejo: forked !== undefined, isFrom: (wanted) => Number(minor) >= wanted };
}
