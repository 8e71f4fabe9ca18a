import type { Account } from "#core/model/account.ts";
import type { AccountId } from "#core/model/ids.ts";
import { listen } from "#forge-like/listen.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { answerRequest } from "#gitea-like/answer-request.ts";
import { swaggerCheck } from "#gitea-like/check-swagger.ts";
import { createExtras, type Hook } from "#gitea-like/extras.ts";
import type { SeenRequest } from "#gitea-like/seen-request.ts";
import type { Site } from "#gitea-like/site.ts";
import { type GiteaVersion, readVersion } from "#gitea-like/version.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export interface GiteaLikeOptions {
  /** In the manner of Gitea. */
  readonly sandbox: Sandbox;
  /** "1.25.5" unless told otherwise; "11.0.0+gitea-1.22.0" is a Forgejo. */
  readonly version?: string;
  /** 0, or none, is any that is free. */
  readonly port?: number;
  /** Where git's own repositories lie, one folder `owner/name.git` each, if there are any. */
  readonly gitRoot?: string;
  /** Where no answer is to come: the connection breaks, or stays open until somebody gives up. */
  readonly silence?: "hangs_up" | "waits";
}

export interface GiteaLike {
  /** Root of the server; the API is at `/api/v1`, git at `/<owner>/<name>.git`. */
  readonly url: string;
  readonly version: GiteaVersion;
  /** Tokens by whoever they belong to. Whole numbers of the sandbox are those of the API, for everything. */
  readonly tokens: Map<string, Account>;
  /** Of tokens that are to be narrowed: `read:repository`, `write:issue`. The others may do everything. */
  readonly scopes: Map<string, readonly string[]>;
  /** Who administers the whole server. */
  readonly siteAdmins: Set<AccountId>;
  /** Makes an archive of it. */
  archive(repository: RepositoryRef): void;
  /** The webhooks that were set up by the API, with their secrets. */
  hooksOf(repository: RepositoryRef): readonly Hook[];
  /** Every request as it came in and what it was answered, in the order of the answers. */
  readonly requests: readonly SeenRequest[];
  /** Where a request or one of our own answers was not as Gitea describes it. Tests assert that there are none. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/** The oldest version that is still kept alive by its makers and has neither resolving nor replies. */
const versionDefault = "1.25.5";

export async function serveGiteaLike(options: GiteaLikeOptions): Promise<GiteaLike> {
  const { sandbox } = options;
  const version = readVersion(options.version ?? versionDefault);
  const tokens = new Map<string, Account>();
  const scopes = new Map<string, readonly string[]>();
  const siteAdmins = new Set<AccountId>();
  const requests: SeenRequest[] = [];
  const violations: string[] = [];
  const extras = createExtras();
  const site: Omit<Site, "url"> = {
    sandbox,
    version,
    swagger: swaggerCheck(version),
    tokens,
    scopes,
    siteAdmins,
    extras,
    gitRoot: options.gitRoot ?? null,
    silence: options.silence ?? "hangs_up",
    note: (seen) => void requests.push(seen),
    complain: (what) => void violations.push(what),
  };
  const listening = await listen(options.port ?? 0, (request, response) =>
    answerRequest({ ...site, url: served.url }, request, response),
  );
  const { url } = listening;
  const served = { url };
  return {
    url,
    version,
    tokens,
    scopes,
    siteAdmins,
    archive: ({ id }) => void extras.archived.add(id),
    hooksOf: ({ id }) => extras.hooks.get(id) ?? [],
    requests,
    violations,
    close: () => listening.close(),
  };
}
