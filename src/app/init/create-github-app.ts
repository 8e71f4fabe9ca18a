import { timingSafeEqual } from "node:crypto";
import { join, resolve } from "node:path";
import { writeOwnerOnlyFile } from "#app/init/owner-only-file.ts";
import { usualBudget } from "#app/models/warn-uncapped.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { convertManifest, githubAppNeeds, type MadeApp } from "#forges/github/github-manifest.ts";
import { webUrl } from "#forges/github/github-web-url.ts";
import { type LoopbackPage, serveOnLoopback } from "#server/loopback-server.ts";

/** For a field that must not be empty. */
const nowhere = "https://drover.invalid";

export interface MakeAppOptions {
  readonly port: number;
  readonly apiUrl: string;
  readonly organisation: string | null;
  readonly serverUrl: string | null;
  readonly dataFolder: string;
  readonly onReady: (ready: { readonly url: string; readonly manifest: object }) => void;
  readonly signal: AbortSignal;
}

export interface AppMade {
  readonly id: number;
  readonly slug: string;
  readonly installUrl: string;
  readonly keyFile: string;
  readonly secretFile: string | null;
  readonly config: string;
}

/** Null: the signal ended it first. */
export async function createGithubApp(options: MakeAppOptions): Promise<AppMade | null> {
  const state = createSystemRandom().token();
  const ended = new AbortController();
  const end = (): void => ended.abort();
  let made: AppMade | null = null;
  const site: { page: string } = { page: "" };
  const onMade = (app: AppMade): void => {
    made = app;
    end();
  };
  const server = await serveOnLoopback({
    port: options.port,
    answer: async (asked) => {
      if (asked.pathname === "/") return { status: 200, html: site.page };
      if (asked.pathname !== createdPath) return { status: 404, html: troublePage("There is no such page.") };
      return await takeCode(asked.searchParams, { options, state, onMade });
    },
  });
  const { apiUrl, organisation, serverUrl } = options;
  const manifest = appManifest({ redirectUrl: `${server.url}${createdPath}`, serverUrl });
  site.page = manifestPage({ action: newAppUrl({ apiUrl, organisation, state }), manifest });
  options.signal.addEventListener("abort", end);
  options.onReady({ url: server.url, manifest });
  await untilAborted(ended.signal);
  await server.close();
  return made;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolveWait) => {
    signal.addEventListener("abort", () => resolveWait());
  });
}

const createdPath = "/created";

interface Taking {
  readonly options: MakeAppOptions;
  readonly state: string;
  readonly onMade: (app: AppMade) => void;
}

/** Only this page sends the state: without it anyone could make us keep the keys of their App. */
async function takeCode(asked: URLSearchParams, { options, state, onMade }: Taking): Promise<LoopbackPage> {
  const code = asked.get("code") ?? "";
  if (code === "" || !isSame(asked.get("state") ?? "", state)) {
    return { status: 400, html: troublePage("The link is not from here.") };
  }
  const converted = await convertManifest({ apiUrl: options.apiUrl, code });
  if (converted.kind === "refused") return { status: 502, html: troublePage(converted.why) };
  const app = await keepApp(options, converted.app);
  onMade(app);
  return { status: 200, html: madePage({ name: converted.app.slug, installUrl: app.installUrl }) };
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function keepApp({ dataFolder, apiUrl }: MakeAppOptions, app: MadeApp): Promise<AppMade> {
  const folder = resolve(dataFolder);
  const keyFile = join(folder, "github-app.pem");
  await writeOwnerOnlyFile(keyFile, app.pem);
  const secretFile = app.webhook_secret === null ? null : join(folder, "github-webhook-secret");
  if (secretFile !== null) await writeOwnerOnlyFile(secretFile, `${app.webhook_secret}\n`);
  await writeOwnerOnlyFile(
    join(folder, "github-app.json"),
    `${JSON.stringify({ id: app.id, slug: app.slug, apiUrl })}\n`,
  );
  const { id, slug } = app;
  const installUrl = `${app.html_url}/installations/new`;
  return { id, slug, installUrl, keyFile, secretFile, config: configPiece({ id, keyFile, secretFile, apiUrl }) };
}

/** JSON is YAML, so nothing needs other quotes. */
function configPiece(app: Pick<AppMade, "id" | "keyFile" | "secretFile"> & { readonly apiUrl: string }): string {
  const secrets = app.secretFile === null ? "" : `{ file: ${JSON.stringify(app.secretFile)} }`;
  return `forges:
  - name: github
    kind: github
    apiUrl: ${JSON.stringify(app.apiUrl)}
    app: { id: ${app.id}, privateKey: { file: ${JSON.stringify(app.keyFile)} } }
    webhookSecrets: [${secrets}]
# What models may cost, in dollars, once there are any.
${usualBudget}
`;
}
/** A manifest can only be handed over by a form. */
function manifestPage({ action, manifest }: { readonly action: string; readonly manifest: object }): string {
  return page(
    "Make a GitHub App for Drover",
    `<p>GitHub asks for a name, and shows what the App may do. Nothing is made before you agree there.</p>
<form action="${escapeHtml(action)}" method="post">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Go to GitHub</button>
</form>
<details><summary>What GitHub is asked for</summary><pre>${escapeHtml(JSON.stringify(manifest, null, 2))}</pre></details>`,
  );
}

function madePage({ name, installUrl }: { readonly name: string; readonly installUrl: string }): string {
  return page(
    "The App is there",
    `<p>${escapeHtml(name)} is made, and its keys are in the data folder. <a href="${escapeHtml(installUrl)}">Install it</a> where Drover is to work. This page can be closed.</p>`,
  );
}

function troublePage(why: string): string {
  return page("That did not work", `<p>${escapeHtml(why)}</p><p><a href="/">Try again</a></p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<body style="font: 16px/1.5 sans-serif; max-width: 40em; margin: 3em auto">
<h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

interface ManifestOptions {
  readonly redirectUrl: string;
  /** Null: not known yet, so the App sends no webhooks. */
  readonly serverUrl: string | null;
}

function appManifest({ redirectUrl, serverUrl }: ManifestOptions): object {
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
