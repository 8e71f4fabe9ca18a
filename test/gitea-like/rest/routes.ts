import { commentRoutes } from "#gitea-like/rest/comment-routes.ts";
import { hookRoutes } from "#gitea-like/rest/hook-routes.ts";
import { labelRoutes } from "#gitea-like/rest/label-routes.ts";
import { mergeRoutes } from "#gitea-like/rest/merge-routes.ts";
import { pullRoutes } from "#gitea-like/rest/pull-routes.ts";
import { reactionRoutes } from "#gitea-like/rest/reaction-routes.ts";
import { repositoryRoutes } from "#gitea-like/rest/repository-routes.ts";
import { reviewRoutes } from "#gitea-like/rest/review-routes.ts";
import type { Route } from "#gitea-like/rest/route.ts";
import { siteRoutes } from "#gitea-like/rest/site-routes.ts";
import { statusRoutes } from "#gitea-like/rest/status-routes.ts";
import { threadRoutes } from "#gitea-like/rest/thread-routes.ts";
import { timelineRoutes } from "#gitea-like/rest/timeline-routes.ts";
import type { GiteaVersion } from "#gitea-like/version.ts";

export const routes: readonly Route[] = [
  ...siteRoutes,
  ...repositoryRoutes,
  ...pullRoutes,
  ...mergeRoutes,
  ...commentRoutes,
  ...reactionRoutes,
  ...timelineRoutes,
  ...reviewRoutes,
  ...threadRoutes,
  ...statusRoutes,
  ...labelRoutes,
  ...hookRoutes,
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

/** Forgejo went its own way before the newer ones came. */
export function isThere({ since = 0 }: Route, version: GiteaVersion): boolean {
  return version.isFrom(since) && !(version.isForgejo && since > 22);
}

const patterns = routes
  .map((route) => ({ route, pattern: patternOf(route.path) }))
  .sort((one, other) => one.route.path.split("{").length - other.route.path.split("{").length);

/** Paths of files, and two refs to compare, may hold slashes. */
function patternOf(path: string): RegExp {
  const text = path
    .replaceAll(".", "\\.")
    .replace(/\{(\w+)\}/g, (_, name: string) =>
      name === "filepath" || name === "basehead"
        ? `(?<${name}>.+)`
        : `(?<${name}>${name === "index" ? "[^/.]+" : "[^/]+"})`,
    );
  return new RegExp(`^${text}$`);
}

function decode(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}
