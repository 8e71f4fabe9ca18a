import { type ForgeKey, revealKey } from "#app/forge/forge-key.ts";
import { webUrl } from "#app/forge/web-url.ts";
import type { ForgeConfig, GithubForge } from "#config/operator-config.ts";
import { never } from "#core/never.ts";
import type { KnownSecrets } from "#core/secrets/known-secrets.ts";
import type { ForgeSpent } from "#forges/forge-spent.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { createGithubClient, type GithubAccess, type GithubJob } from "#forges/github/github-client.ts";
import { guardedForge } from "#forges/guarded-forge.ts";
import { type ListedBot, withListedBots } from "#forges/listed-bots.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Where a forge is: all that its kind needs to be reached. */
export type ForgePlace = { readonly bots?: readonly ListedBot[]; readonly gateName?: string | undefined } & (
  | { readonly kind: "sandbox"; readonly url: string }
  | {
      readonly kind: "github";
      readonly url: string;
      readonly merging?: GithubForge["merging"];
      readonly approves?: boolean | undefined;
      readonly job?: GithubJob | undefined;
    }
  | { readonly kind: "gitea"; readonly url: string }
);

export interface ForgeOptions {
  readonly clock: Clock;
  /** What no text may tell that is sent there. */
  readonly secrets: KnownSecrets;
  /** Told of each token that was made for some calls, by forges that make them. */
  readonly onToken?: (token: string) => void;
  /** Told what each answer cost, by forges that count. */
  readonly onSpent?: (spent: ForgeSpent) => void;
}

/** The one place that opens clients, and none of them is handed out unguarded. Nothing is asked yet. */
export function openForge(place: ForgePlace, key: ForgeKey, options: ForgeOptions): Forge {
  return guardedForge(withListedBots(openClient(place, key, options), place.bots ?? []), options.secrets);
}

/** Which client belongs to which kind. */
function openClient(place: ForgePlace, key: ForgeKey, { clock, onSpent, onToken }: ForgeOptions): Forge {
  switch (place.kind) {
    case "sandbox":
      return createRemoteSandbox({ ...place, token: revealKey(key), clock });
    case "github":
      return createGithubClient({
        ...place,
        access: accessOf(key, onToken),
        clock,
        ...(onSpent === undefined ? {} : { onSpent }),
      });
    case "gitea":
      return createGiteaClient({
        ...place,
        token: revealKey(key),
        clock,
        ...(onSpent === undefined ? {} : { onSpent }),
      });
    default:
      return never(place);
  }
}

export function placeOf(forge: ForgeConfig): ForgePlace {
  const { bots, gateName } = forge;
  switch (forge.kind) {
    case "sandbox":
      return { kind: "sandbox", url: forge.url, bots, gateName };
    case "github":
      return { kind: "github", url: forge.apiUrl, merging: forge.merging, approves: forge.approves, bots, gateName };
    case "gitea":
      return { kind: "gitea", url: forge.url.replace(/\/+$/, ""), bots, gateName };
    default:
      return never(forge);
  }
}

/** Where people see a pull. */
export function pullPage({ kind, url }: ForgePlace, { repository, number }: PullRef): string {
  const root = kind === "github" ? webUrl(url) : url.replace(/\/+$/, "");
  return `${root}/${repository.name}/${kind === "github" ? "pull" : "pulls"}/${number}`;
}

function accessOf(key: ForgeKey, onToken: ForgeOptions["onToken"]): GithubAccess {
  return key.kind === "token"
    ? { kind: "token", token: revealKey(key) }
    : { kind: "app", appId: key.id, privateKey: revealKey(key), installation: key.installation, onToken };
}
