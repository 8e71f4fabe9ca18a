import { appRoutes } from "#github-like/rest/app-routes.ts";
import { checkRoutes } from "#github-like/rest/check-routes.ts";
import { commentRoutes } from "#github-like/rest/comment-routes.ts";
import { pullRoutes } from "#github-like/rest/pull-routes.ts";
import { reactionRoutes } from "#github-like/rest/reaction-routes.ts";
import { repositoryRoutes } from "#github-like/rest/repository-routes.ts";
import { reviewRoutes } from "#github-like/rest/review-routes.ts";
import type { Route } from "#github-like/rest/route.ts";
import { siteRoutes } from "#github-like/rest/site-routes.ts";

export const routes: readonly Route[] = [
  ...appRoutes,
  ...siteRoutes,
  ...repositoryRoutes,
  ...pullRoutes,
  ...commentRoutes,
  ...reviewRoutes,
  ...reactionRoutes,
  ...checkRoutes,
];

export interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The operation of a request; of two that fit, the one with fewer parameters. */
export function matchRoute(method: string, path: string): Matched | undefined {
  for (const { route, pattern } of patterns) {
    if (route.method !== method) continue;
    const found = pattern.exec(path);
    if (found !== null) return { route, params: decode(found.groups ?? {}) };
  }
  return undefined;
}

const patterns = routes
  .map((route) => ({ route, pattern: patternOf(route.path) }))
  .sort((one, other) => one.route.path.split("{").length - other.route.path.split("{").length);

/** Only the path of a file may hold slashes. */
function patternOf(path: string): RegExp {
  const text = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === "path" ? `(?<path>.*)` : `(?<${name}>[^/]+)`));
  return new RegExp(`^${text}$`);
}

function decode(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}
