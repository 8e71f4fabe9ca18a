import type { Account } from "#core/model/account.ts";
import type { AccountId } from "#core/model/ids.ts";
import type { ServedView } from "#forges/sandbox/call-endpoint.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import type { SwaggerCheck } from "#gitea-like/check-swagger.ts";
import type { Extras } from "#gitea-like/extras.ts";
import type { SeenRequest } from "#gitea-like/seen-request.ts";
import type { Sight } from "#gitea-like/sight.ts";
import type { GiteaVersion } from "#gitea-like/version.ts";

/** One server, for all its requests. */
export interface Site {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly version: GiteaVersion;
  readonly swagger: SwaggerCheck;
  readonly tokens: ReadonlyMap<string, Account>;
  /** Of tokens that may not do everything. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly siteAdmins: ReadonlySet<AccountId>;
  readonly extras: Extras;
  readonly gitRoot: string | null;
  /** What a request meets that nobody answers. */
  readonly silence: "hangs_up" | "waits";
  readonly note: (seen: SeenRequest) => void;
  readonly complain: (what: string) => void;
}

/** One call on it. */
export function sightOf({ url, version, extras, gitRoot, siteAdmins }: Site, look: ServedView): Sight {
  const isSiteAdmin = siteAdmins.has(look.asker.id);
  return { ...look, url, version, extras, date: look.world.now(), isSiteAdmin, hasGit: gitRoot !== null };
}
