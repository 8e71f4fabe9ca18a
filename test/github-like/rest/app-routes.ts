import { z } from "zod";
import type { RepositoryId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import { time } from "#forge-like/time.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { type Repository } from "#forges/sandbox/world.ts";
import { type GithubLikeApp, tokenLifeMs } from "#github-like/app-state.ts";
import { installationBody, integrationBody } from "#github-like/rest/app-body.ts";
import { page } from "#github-like/rest/page.ts";
import { repositoryBody } from "#github-like/rest/repository-body.ts";
import {
  type Asked,
  created,
  nothing,
  numberParam,
  ok,
  param,
  type Route,
  readBody,
  repositoryName,
  Unprocessable,
} from "#github-like/rest/route.ts";
import { reaches } from "#github-like/rights.ts";
import { isInstalledOn, type Sight } from "#github-like/sight.ts";

const Level = z.enum(["read", "write", "admin"]);
const Narrowing = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), Level).optional(),
});

export const appRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/app",
    name: "get_app",
    isWrite: false,
    needs: "app",
    serve: (sight) => ok(integrationBody(sight, sight.asker)),
  },
  {
    method: "GET",
    path: "/app/installations",
    name: "list_installations",
    isWrite: false,
    needs: "app",
    serve: (sight, asked) =>
      page(sight, asked, {
        items: installationsOf(sight),
        path: "/app/installations",
        toBody: (app) => installationBody(sight, app),
      }),
  },
  {
    method: "GET",
    path: "/app/installations/{installation_id}",
    name: "get_installation",
    isWrite: false,
    needs: "app",
    serve: (sight, asked) => ok(installationBody(sight, installationAsked(sight, asked))),
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/installation",
    name: "get_repository_installation",
    isWrite: false,
    needs: "app",
    serve(sight, asked) {
      const name = repositoryName(asked).toLowerCase();
      const app = appOf(sight);
      const isThere = installedOn(sight, app).some(({ ref }) => ref.name.toLowerCase() === name);
      if (!isThere) throw notFound();
      return ok(installationBody(sight, app));
    },
  },
  {
    method: "POST",
    path: "/app/installations/{installation_id}/access_tokens",
    name: "create_installation_token",
    // A token is nothing that anybody sees on the forge.
    isWrite: false,
    needs: "app",
    serve: (sight, asked) => created(issue(sight, activeInstallationAsked(sight, asked), readBody(Narrowing, asked))),
  },
  {
    method: "DELETE",
    path: "/installation/token",
    name: "revoke_installation_token",
    isWrite: false,
    needs: [],
    serve(sight, { token }) {
      sight.apps.revoke(token);
      return nothing;
    },
  },
  {
    method: "POST",
    path: "/app-manifests/{code}/conversions",
    name: "convert_manifest",
    isWrite: false,
    needs: "nobody",
    serve(sight, { params }) {
      const app = sight.apps.apps.find(({ slug }) => slug === param(params, "code"));
      if (app === undefined) throw notFound();
      return created({
        ...integrationBody(sight, app.bot),
        client_id: `Iv1.${app.id}`,
        client_secret: "a client's secret",
        webhook_secret: "a webhook's secret",
        pem: app.privateKey,
      });
    },
  },
];

function appOf({ rights, apps }: Sight): GithubLikeApp {
  const app = rights.kind === "app" ? apps.apps.find(({ id }) => id === rights.app) : undefined;
  if (app === undefined) throw notFound();
  return app;
}

/** The App once for each place that it is installed in; the one that it works in is the last. */
function installationsOf(sight: Sight): readonly GithubLikeApp[] {
  const app = appOf(sight);
  const suspended = [...sight.extras.suspended].map((installation) => ({ ...app, installation }));
  return [...suspended, app];
}

function installationAsked(sight: Sight, asked: Asked): GithubLikeApp {
  const wanted = numberParam(asked, "installation_id");
  const found = installationsOf(sight).find(({ installation }) => installation === wanted);
  if (found === undefined) throw notFound();
  return found;
}

/** GitHub shows them, and gives no tokens of them. */
function activeInstallationAsked(sight: Sight, asked: Asked): GithubLikeApp {
  const app = installationAsked(sight, asked);
  if (sight.extras.suspended.has(app.installation))
    throw new EndpointRefusal(403, "This installation has been suspended");
  return app;
}

function installedOn({ world }: Sight, { bot }: GithubLikeApp): readonly Repository[] {
  return [...world.repositories.values()].filter((repository) => isInstalledOn(repository, bot.id));
}

function issue(sight: Sight, app: GithubLikeApp, asked: z.infer<typeof Narrowing>): object {
  const chosen = chooseRepositories(installedOn(sight, app), asked);
  const permissions = asked.permissions ?? app.permissions;
  for (const [name, level] of Object.entries(permissions)) {
    if (!reaches(app.permissions[name], level)) {
      throw new Unprocessable([], "The permissions requested are not granted to this installation.");
    }
  }
  const expiresAt = after(sight.tokenDate, tokenLifeMs);
  const repositories: ReadonlySet<RepositoryId> | null =
    chosen === null ? null : new Set(chosen.map(({ ref }) => ref.id));
  const rights = { kind: "installation", account: app.bot, repositories, permissions } as const;
  return {
    token: sight.apps.issue(rights, expiresAt),
    expires_at: time(expiresAt),
    // Metadata may always be read.
    permissions: { metadata: "read", ...permissions },
    repository_selection: "selected",
    ...(chosen !== null && { repositories: chosen.map((repository) => repositoryBody(sight, repository)) }),
  };
}

/** Null: all of them. */
function chooseRepositories(
  installed: readonly Repository[],
  { repositories, repository_ids }: z.infer<typeof Narrowing>,
): readonly Repository[] | null {
  if (repositories === undefined && repository_ids === undefined) return null;
  const byName = (repositories ?? []).map((name) => installed.find(({ ref }) => ref.name.split("/")[1] === name));
  const byId = (repository_ids ?? []).map((id) => installed.find(({ ref }) => ref.id === String(id)));
  const found = [...byName, ...byId];
  const known = found.filter((repository) => repository !== undefined);
  if (known.length < found.length) {
    throw new Unprocessable(
      [],
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  }
  return known;
}
