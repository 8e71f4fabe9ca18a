import { githubAppNeeds } from "#forges/github/github-manifest.ts";
import { webUrl } from "#forges/github/github-web-url.ts";

export interface ManifestOptions {
  readonly redirectUrl: string;
  /** Null: not known yet, so the App sends no webhooks. */
  readonly serverUrl: string | null;
}

/** For a field that must not be empty. */
const nowhere = "https://drover.invalid";

export function appManifest({ redirectUrl, serverUrl }: ManifestOptions): object {
  const home = (serverUrl ?? nowhere).replace(/\/+$/, "");
  return {
    name: "Drover",
    url: home,
    hook_attributes: { url: `${home}/webhooks/github`, active: serverUrl !== null },
    redirect_url: redirectUrl,
    public: false,
    default_permissions: githubAppNeeds.permissions,
    default_events: githubAppNeeds.events,
  };
}

export function newAppUrl(asked: {
  readonly apiUrl: string;
  readonly organisation: string | null;
  readonly state: string;
}): string {
  const place = asked.organisation === null ? "" : `organizations/${encodeURIComponent(asked.organisation)}/`;
  return `${webUrl(asked.apiUrl)}/${place}settings/apps/new?state=${encodeURIComponent(asked.state)}`;
}
