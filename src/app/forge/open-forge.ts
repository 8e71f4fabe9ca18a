import { type ForgeCredentials, revealCredentials } from "#app/forge/forge-credentials.ts";
import { webUrl } from "#app/forge/web-url.ts";
import type { ForgeConfig, GithubForge } from "#config/operator-config.ts";
import { never } from "#core/never.ts";
import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { createGithubClient, type GithubAccess, type GithubJob } from "#forges/github/github-client.ts";
import { type ListedBot, withListedBots } from "#forges/listed-bots.ts";
import { maskingForge } from "#forges/masking-forge.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Where a forge is: all that its kind needs to be reached. */
export type ForgeLocation = { readonly bots?: readonly ListedBot[]; readonly gateName?: string | undefined } & (
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
  readonly secrets: SecretMasker;
  /** Told of each token that was made for some calls, by forges that make them. */
  readonly onToken?: (token: string) => void;
  /** Told what each answer cost, by forges that count. */
  readonly onSpent?: (spent: ForgeCallCost) => void;
}

/** The one place that opens clients, and none of them is handed out unguarded. Nothing is asked yet. */
export function openForge(location: ForgeLocation, key: ForgeCredentials, options: ForgeOptions): Forge {
  return maskingForge(withListedBots(openClient(location, key, options), location.bots ?? []), options.secrets);
}

/** Which client belongs to which kind. */
function openClient(location: ForgeLocation, key: ForgeCredentials, { clock, onSpent, onToken }: ForgeOptions): Forge {
  switch (location.kind) {
    case "sandbox":
      return createRemoteSandbox({ ...location, token: revealCredentials(key), clock });
    case "github":
      return createGithubClient({
        ...location,
        access: accessOf(key, onToken),
        clock,
        ...(onSpent === undefined ? {} : { onSpent }),
      });
    case "gitea":
      return createGiteaClient({
        ...location,
        token: revealCredentials(key),
        clock,
        ...(onSpent === undefined ? {} : { onSpent }),
      });
    default:
      return never(location);
  }
}

export function forgeLocationOf(forge: ForgeConfig): ForgeLocation {
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
export function pullPage({ kind, url }: ForgeLocation, { repository, number }: PullRef): string {
  const root = kind === "github" ? webUrl(url) : url.replace(/\/+$/, "");
  return `${root}/${repository.name}/${kind === "github" ? "pull" : "pulls"}/${number}`;
}

function accessOf(key: ForgeCredentials, onToken: ForgeOptions["onToken"]): GithubAccess {
  return key.kind === "token"
    ? { kind: "token", token: revealCredentials(key) }
    : { kind: "app", appId: key.id, privateKey: revealCredentials(key), installation: key.installation, onToken };
}
