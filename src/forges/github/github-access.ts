import type { GithubRights } from "#forges/github/github-rights.ts";

export type GithubAccess =
  | { readonly kind: "token"; readonly token: string }
  | {
      readonly kind: "app";
      /** The number of the App, or its client id. */
      readonly appId: string;
      readonly privateKey: string;
      /** Null: looked up by repository. */
      readonly installation: number | null;
      readonly onToken?: ((token: string) => void) | undefined;
    };

/** An account has one installation, so its name stands for it; the number would have to be asked for. */
export function isCountedByOwner(access: GithubAccess): boolean {
  return access.kind === "app" && access.installation === null;
}

export interface TokenRequest {
  readonly rights: GithubRights;
  /** Null for what belongs to no repository. The id is known after the first lookup. */
  readonly repository: { readonly name: string; readonly id?: string } | null;
}

export interface Token {
  readonly value: string;
  /** False where this is the only one. */
  drop(): boolean;
}

export interface TokenSource {
  tokenFor(scope: TokenRequest): Promise<Token>;
}

export function plainTokens(access: GithubAccess): TokenSource {
  const token: Token = { value: access.kind === "token" ? access.token : "", drop: () => false };
  return { tokenFor: async () => token };
}
