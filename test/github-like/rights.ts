import type { Account } from "#core/model/account.ts";
import type { RepositoryId } from "#core/model/ids.ts";

/** What whoever sent a request may do, as told by the token. */
export type Rights =
  /** A person's token: as much as the person. */
  | { readonly kind: "person"; readonly account: Account }
  /** An installation of an App: as much as its bot, within these repositories and permissions. */
  | {
      readonly kind: "installation";
      readonly account: Account;
      /** Null: all that the App is installed on. */
      readonly repositories: ReadonlySet<RepositoryId> | null;
      readonly permissions: Permissions;
    }
  /** The App itself, with a JWT: it can ask who it is and for tokens. */
  | { readonly kind: "app"; readonly account: Account; readonly app: number };

export type Permissions = Readonly<Record<string, "read" | "write" | "admin">>;

/** One permission that opens an endpoint: `["pull_requests", "write"]`. */
export type Need = readonly [name: string, level: "read" | "write"];

/** What the App is created with unless somebody says otherwise. */
export const allPermissions: Permissions = {
  actions: "read",
  administration: "read",
  checks: "write",
  contents: "write",
  issues: "write",
  merge_queues: "write",
  metadata: "read",
  pull_requests: "write",
  statuses: "write",
  workflows: "write",
};

/** Whether any of these is enough. People have no such permissions: for them their role in the repository counts. */
export function isAllowed(rights: Rights, needs: readonly Need[]): boolean {
  if (rights.kind !== "installation" || needs.length === 0) return true;
  return needs.some(([name, level]) => reaches(rights.permissions[name] ?? givenAnyway.get(name), level));
}

/** Whatever the token was narrowed to. */
const givenAnyway: ReadonlyMap<string, Permissions[string]> = new Map([["metadata", "read"]]);

export function reaches(given: Permissions[string] | undefined, wanted: Permissions[string]): boolean {
  return levels.indexOf(given ?? "none") >= levels.indexOf(wanted);
}

const levels: readonly string[] = ["none", "read", "write", "admin"];

export function reachesRepository(rights: Rights, repository: RepositoryId): boolean {
  return rights.kind !== "installation" || rights.repositories === null || rights.repositories.has(repository);
}
