import type { GithubRights } from "#forges/github/github-rights.ts";

/** With what Drover signs in. */
export type GithubAccess =
  | { readonly kind: "token"; readonly token: string }
  | {
      readonly kind: "app";
      /** The number of the App, or its client id. */
      readonly appId: string;
      readonly privateKey: string;
      /** Null: asked for, repository by repository. */
      readonly installation: number | null;
      /** Told of each token that was made. */
      readonly onToken?: ((token: string) => void) | undefined;
    };

/**
 * Whether GitHub counts calls by the installation that they are for. An account has one in all its repositories, so the
 * owner's name stands for it; the number would have to be asked for first.
 */
export function isCountedByOwner(access: GithubAccess): boolean {
  return access.kind === "app" && access.installation === null;
}

export interface TokenRequest {
  readonly rights: GithubRights;
  /** Null for what belongs to no repository. The id is not known before the repository has been looked up. */
  readonly repository: { readonly name: string; readonly id?: string } | null;
}

export interface Token {
  readonly value: string;
  /** Forgets it where another one can be had; false where this is the only one. */
  drop(): boolean;
}

export interface TokenSource {
  tokenFor(scope: TokenRequest): Promise<Token>;
}

export function plainTokens(access: GithubAccess): TokenSource {
  const token: Token = { value: access.kind === "token" ? access.token : "", drop: () => false };
  return { tokenFor: async () => token };
}
