/** It has GitHub's variables too, with Gitea's values. */
export function isGiteaJob(env: Readonly<Record<string, string | undefined>>): boolean {
  return env["GITEA_ACTIONS"] === "true" || env["FORGEJO_ACTIONS"] === "true";
}
