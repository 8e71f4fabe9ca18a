/**
 * An App's token gets only these, in one repository. `look` reads, `talk` writes what can be taken back, `change` merges,
 * pushes and resolves threads, which needs the right to write contents.
 */
export type GithubRights = "look" | "talk" | "change";

export type GithubPermissions = Readonly<Record<string, "read" | "write">>;

const look: GithubPermissions = {
  // Other tokens do not learn which workflow a check belongs to, and GraphQL answers with an error.
  actions: "read",
  checks: "read",
  contents: "read",
  issues: "read",
  metadata: "read",
  pull_requests: "read",
  statuses: "read",
};

const talk: GithubPermissions = { ...look, checks: "write", issues: "write", pull_requests: "write" };

export const permissionsFor: Readonly<Record<GithubRights, GithubPermissions>> = {
  look,
  talk,
  change: { ...look, contents: "write", pull_requests: "write" },
};
