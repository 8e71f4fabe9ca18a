import type { Instant } from "#core/model/instant.ts";
import { type AppState, readJwt } from "#github-like/app-state.ts";
import { allPermissions, type Rights } from "#github-like/rights.ts";
import type { Site } from "#github-like/site.ts";

/** Who a token belongs to, and what keeps it from being good at some moment. */
export interface Holder {
  readonly rights: Rights;
  /** What is wrong with it now; null if nothing is. */
  readonly problemAt: (now: Instant) => string | null;
}

const badCredentials = "Bad credentials";

/** Undefined: nobody knows such a token. */
export function holderOf(site: Site, token: string): Holder | undefined {
  const account = site.tokens.get(token);
  if (account?.kind === "person") return { rights: { kind: "person", account }, problemAt: () => null };
  if (account !== undefined) {
    const permissions = site.apps.apps.find(({ bot }) => bot.id === account.id)?.permissions ?? allPermissions;
    return { rights: { kind: "installation", account, repositories: null, permissions }, problemAt: () => null };
  }
  const issued = site.apps.findIssued(token);
  if (issued !== undefined) {
    const { rights, expiresAt } = issued;
    return { rights, problemAt: (now) => (expiresAt !== null && expiresAt <= now ? badCredentials : null) };
  }
  return token.split(".").length === 3 ? holderOfJwt(site.apps, token) : undefined;
}

/** "exp" may be ten minutes ahead at most, and the clocks of two machines a minute apart. */
const jwtSecondsMax = 600;
const skewSeconds = 60;

function holderOfJwt(apps: AppState, token: string): Holder | undefined {
  const read = readJwt(apps, token);
  if (read === undefined) return undefined;
  const { app, issuedAt, expiresAt } = read;
  return {
    rights: { kind: "app", account: app.bot, app: app.id },
    problemAt: (now) => {
      const seconds = Math.floor(now / 1000);
      if (expiresAt > seconds + jwtSecondsMax) return "'Expiration time' claim ('exp') is too far in the future";
      if (expiresAt <= seconds)
        return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
      if (issuedAt > seconds + skewSeconds)
        return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
      return null;
    },
  };
}
