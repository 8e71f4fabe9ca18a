import { after, type Instant, parseInstant } from "#core/model/instant.ts";
import type { TokenRequest, TokenSource } from "#forges/github/github-access.ts";
import type { GithubApp, GithubAppOptions } from "#forges/github/github-app.ts";
import { malformedResponse } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { nameParams } from "#forges/github/github-paths.ts";
import { permissionsFor } from "#forges/github/github-rights.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError } from "#ports/forge.ts";

interface Kept {
  readonly value: string;
  /** On this machine's clock. */
  readonly until: Instant;
}

/** Good for an hour. Octokit's cache is one per process, and two GitHubs may give installations the same number. */
export function createAppTokens(
  { access, clock }: Pick<GithubAppOptions, "access"> & { readonly clock: Clock },
  app: GithubApp,
): TokenSource {
  const kept = new Map<string, Promise<Kept>>();
  const installations = new Map<string, number>();

  async function findInstallation({ repository }: TokenRequest): Promise<number> {
    if (access.installation !== null) return access.installation;
    const name = repository?.name ?? "";
    const known = installations.get(name);
    if (known !== undefined) return known;
    const found = repository === null ? await app.fetchFirstInstallation() : await app.fetchInstallation(name);
    if (installations.size >= githubLimits.installationsMax) installations.clear();
    installations.set(name, found);
    return found;
  }

  async function createToken(scope: TokenRequest): Promise<Kept> {
    const where = scope.repository?.name ?? "app";
    const installation = await findInstallation(scope);
    const made = await app
      .createToken({ where, installation, narrowed: narrowed(scope) })
      .catch(async (error: unknown) => {
        // An old name leads to the repository, but is no name to get a token for.
        const mayBeOldName = scope.repository !== null && scope.repository.id === undefined;
        if (!mayBeOldName || !(error instanceof ForgeError) || error.kind !== "forbidden") throw error;
        return await app.createToken({ where, installation, narrowed: least });
      });
    access.onToken?.(made.token);
    const expiresAt = parseInstant(made.expires_at);
    if (expiresAt === undefined) throw malformedResponse(`${where}: create token`, false, made.expires_at);
    // By the forge's own clock, which this machine's may differ from.
    const lifeMs = expiresAt - made.answer.askedAt - githubLimits.tokenMarginMs;
    return { value: made.token, until: after(clock.now(), lifeMs) };
  }

  async function findToken(key: string, scope: TokenRequest): Promise<Kept> {
    const asked = kept.get(key);
    if (asked !== undefined) {
      const known = await asked;
      if (clock.now() < known.until) return known;
      // A caller that waited too may have asked for the next one.
      if (kept.get(key) !== asked) return findToken(key, scope);
    }
    if (kept.size >= githubLimits.tokensMax) kept.clear();
    const making = createToken(scope);
    kept.set(key, making);
    // A failure is not kept, nor the installation, which may be another by now.
    making.catch(() => {
      if (kept.get(key) === making) kept.delete(key);
      installations.delete(scope.repository?.name ?? "");
    });
    return making;
  }

  return {
    async tokenFor(scope) {
      const key = JSON.stringify([scope.rights, scope.repository?.id ?? null, scope.repository?.name ?? null]);
      const { value } = await findToken(key, scope);
      const used = kept.get(key);
      return {
        value,
        drop() {
          // The first of several refused callers has dropped it; the others get the next one.
          if (kept.get(key) !== used) return true;
          kept.delete(key);
          installations.delete(scope.repository?.name ?? "");
          return true;
        },
      };
    },
  };
}

/** Sees that there are repositories, and what they are called. */
const least = { permissions: { metadata: "read" } } as const;

function narrowed({ repository, rights }: TokenRequest): Readonly<Record<string, unknown>> {
  if (repository === null) return least;
  const permissions = permissionsFor[rights];
  if (repository.id !== undefined) return { permissions, repository_ids: [Number(repository.id)] };
  return { permissions, repositories: [nameParams(repository.name).repo] };
}
