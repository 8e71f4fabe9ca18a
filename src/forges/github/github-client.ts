import type { Account } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { RepositoryId } from "#core/model/ids.ts";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import { type GithubAccess, plainTokens } from "#forges/github/github-access.ts";
import { createApp } from "#forges/github/github-app.ts";
import { createAppTokens } from "#forges/github/github-app-tokens.ts";
import type { Caller } from "#forges/github/github-call.ts";
import { commentWrites } from "#forges/github/github-comments.ts";
import { createEtags } from "#forges/github/github-etags.ts";
import { createFetchOpenPulls } from "#forges/github/github-fetch-open-pulls.ts";
import { fetchPull } from "#forges/github/github-fetch-pull.ts";
import { createIdentity, type GithubJob } from "#forges/github/github-identity.ts";
import { editLabels } from "#forges/github/github-labels.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { mergePull } from "#forges/github/github-merge.ts";
import { createFetchPermission } from "#forges/github/github-permission.ts";
import { createFetchPushTime } from "#forges/github/github-push-time.ts";
import { createRateLimits, type GithubSpent } from "#forges/github/github-rate-limits.ts";
import { fetchRepository, fetchRestRepository } from "#forges/github/github-repository.ts";
import { reviewWrites } from "#forges/github/github-reviews.ts";
import type { GithubRights } from "#forges/github/github-rights.ts";
import { setGate } from "#forges/github/github-set-gate.ts";
import { createSend } from "#forges/github/github-transport.ts";
import { fetchUnlessSilent } from "#forges/silent-fetch.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError, type RemoteUse } from "#ports/forge.ts";
import type { Remote } from "#ports/git.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export type { GithubAccess, GithubJob, GithubSpent };

export interface GithubSettings {
  /** REST's root: `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise server. GraphQL's follows from it. */
  readonly url: string;
  readonly access: GithubAccess;
  readonly clock: Clock;
  /** Default `direct`. `forge`: by queue, or by auto-merge if too early, which does not know the approved head. */
  readonly merging?: "direct" | "forge" | undefined;
  /** Absent: all but the token of a job may approve. */
  readonly approves?: boolean | undefined;
  readonly job?: GithubJob | undefined;
  readonly gateName?: string | undefined;
  readonly onSpent?: ((spent: GithubSpent) => void) | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

export function createGithubClient(settings: GithubSettings): Forge {
  const { caller, app } = createCaller(settings);
  const fetchIdentity = createIdentity(caller, app);
  const fetchPushTime = createFetchPushTime(caller);
  const unapprovable = new Set<RepositoryId>();
  return {
    async fetchIdentity() {
      const { bot } = await fetchIdentity();
      return { bot, capabilities: githubCapabilities({ ...settings, bot, approves: settings.approves }) };
    },
    fetchRepository: (name) => fetchRepository(caller, name),
    findRateLimit: (repository) => caller.budgets.find(repository?.name ?? null),
    async fetchPull(pull) {
      const identity = { ...(await fetchIdentity()), job: settings.job, gateName: settings.gateName };
      const seen = await fetchPull({ caller, identity, fetchPushTime, pull });
      return unapprovable.has(pull.repository.id) ? { ...seen, mayApprove: false } : seen;
    },
    fetchPermission: createFetchPermission(caller),
    fetchOpenPulls: createFetchOpenPulls(caller),
    fetchRemote: (repository, use) => fetchRemote(caller, settings.url, { repository, use }),
    ...commentWrites(caller),
    ...reviewWrites(caller, { onUnapprovable: ({ id }) => void unapprovable.add(id) }),
    setGate: (request) => setGate(caller, settings, request),
    editLabels: (request) => editLabels(caller, request),
    merge: (request) => mergePull(caller, settings.merging ?? "direct", request),
  };
}

function createCaller({ url, access, clock, onSpent, fetch = environmentFetch() }: GithubSettings) {
  const baseUrl = url.replace(/\/+$/, "");
  const bounded = boundedFetch(fetchUnlessSilent(fetch), githubLimits.answerBytesMax);
  const sendRest = createSend({ baseUrl, fetch: bounded, clock });
  const app = access.kind === "app" ? createApp({ access, send: sendRest }) : null;
  const tokens = access.kind === "app" && app !== null ? createAppTokens({ access, clock }, app) : plainTokens(access);
  const caller: Caller = {
    tokens,
    sendRest,
    // An Enterprise server has it beside the versions of REST, not below one.
    sendGraphql: createSend({ baseUrl: baseUrl.replace(/\/api\/v3$/, "/api"), fetch: bounded, clock }),
    budgets: createRateLimits(access),
    etags: createEtags(),
    clock,
    onSpent: onSpent ?? (() => undefined),
  };
  return { caller, app };
}

/** The repository's own address is asked for: it may have been renamed. Any user name goes with a token. */
async function fetchRemote(
  caller: Caller,
  apiUrl: string,
  { repository, use }: { readonly repository: RepositoryRef; readonly use: RemoteUse },
): Promise<Remote> {
  const { name, id } = repository;
  const { clone_url } = await fetchRestRepository(caller, { name, id, manner: "read", rights: "look" });
  if (!isGitOf(apiUrl, clone_url)) {
    throw new ForgeError("malformed", `github ${name}: git is to be found at another server`, { isApplied: "no" });
  }
  const { value } = await caller.tokens.tokenFor({ rights: rightsFor[use], repository });
  return { url: clone_url, credential: { username: "x-access-token", reveal: () => value } };
}

/** Most of what git does is reading, also for Apps that may do nothing else. */
const rightsFor = { read: "look", push: "change" } as const satisfies Record<RemoteUse, GithubRights>;

/** The token may write, so it goes to the operator's server alone, encrypted if the API is. Git is at `github.com`. */
function isGitOf(apiUrl: string, cloneUrl: string): boolean {
  const api = new URL(apiUrl);
  if (api.protocol !== "https:") return true;
  const git = URL.canParse(cloneUrl) ? new URL(cloneUrl) : null;
  return git?.protocol === "https:" && (git.host === api.host || `api.${git.host}` === api.host);
}

/** On github.com and on every Enterprise server that is still kept up. */
function githubCapabilities({
  access,
  bot,
  approves,
}: {
  readonly access: GithubAccess;
  readonly bot: Account;
  readonly approves: boolean | undefined;
}): Capabilities {
  return {
    mayEditReviewBodies: true,
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    // Most repositories do not let jobs approve, and a job's token may not ask.
    mayApprove: approves ?? bot.login !== actionsLogin,
    mayResolveThreads: true,
    mayReactToReviews: true,
    tellsBodyEdits: true,
    // Check runs are made by Apps alone; a plain token has statuses.
    hasNeutralGate: access.kind === "app",
    hasReactionEvents: false,
  };
}

const actionsLogin = "github-actions[bot]";
