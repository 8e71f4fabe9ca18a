import { githubAppNeeds } from "#forges/github/github-manifest.ts";
import { webUrl } from "#forges/github/github-web-url.ts";

export interface ManifestOptions {
  /** Where GitHub sends the browser afterwards. */
  readonly redirectUrl: string;
  /** Where `drover serve` is reached from outside; null while nobody knows: then the App sends no webhooks yet. */
  readonly serverUrl: string | null;
}

/** An address that never leads anywhere, for a field that must not be empty. */
const nowhere = "https://drover.invalid";

/** What GitHub is asked to make. */
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

/** The page of GitHub that takes manifests: that of the person who is signed in, or of an organisation. */
export function newAppUrl(asked: {
  readonly apiUrl: string;
  readonly organisation: string | null;
  readonly state: string;
}): string {
  const place = asked.organisation === null ? "" : `organizations/${encodeURIComponent(asked.organisation)}/`;
  return `${webUrl(asked.apiUrl)}/${place}settings/apps/new?state=${encodeURIComponent(asked.state)}`;
}
