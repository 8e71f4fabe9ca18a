import { z } from "zod";
import { commonForgeKeys, repositoryName, serverAddress } from "#config/forge-config.ts";
import { SecretSource } from "#config/secret-source.ts";
import { secondMs } from "#core/model/instant.ts";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import { type ForgeCredentials, revealCredentials } from "#forges/forge-credentials.ts";
import type { ForgeClientOptions, ForgeDescriptor, RepositoryList } from "#forges/forge-descriptor.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { isGiteaJob } from "#forges/gitea-job.ts";
import type { GithubAccess } from "#forges/github/github-access.ts";
import { createApp } from "#forges/github/github-app.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { forgeError, malformedResponse } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { type WalkedList, walkPages } from "#forges/github/github-pages.ts";
import { createSend, type Send } from "#forges/github/github-transport.ts";
import { githubApiUrl, webUrl } from "#forges/github/github-web-url.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import { githubWorkflow } from "#forges/github/github-workflow.ts";
import { readPullPath } from "#forges/pull-path.ts";
import type { Clock } from "#ports/clock.ts";

const cloudUrl = "https://api.github.com";

const AppConfig = z.strictObject({
  id: z.number().int().positive(),
  privateKey: SecretSource,
  /** Without it the repository that is asked about tells. */
  installation: z.number().int().positive().optional(),
});

const GithubConfig = z
  .strictObject({
    kind: z.literal("github"),
    ...commonForgeKeys,
    /** Of an Enterprise server `https://HOST/api/v3`. */
    apiUrl: serverAddress.default(cloudUrl),
    token: SecretSource.optional(),
    app: AppConfig.optional(),
    /** Polled. Without the list, those of the App's installation; with a token, none. */
    repositories: z.array(repositoryName).optional(),
    /** `forge`: by the base branch's queue, or by auto-merge if too early, which does not know the approved head. */
    merging: z.enum(["direct", "forge"]).default("direct"),
    /** Absent: all but the token of a job, which repositories seldom let. */
    approves: z.boolean().optional(),
    /** GitHub asks for a second; an Enterprise server without limits can do with less. */
    writeGapMs: z.number().int().min(0).default(secondMs),
  })
  .refine(({ token, app }) => (token === undefined) !== (app === undefined), {
    error: "expected either `token` or `app`",
  });
type GithubConfig = z.infer<typeof GithubConfig>;

export const githubDescriptor: ForgeDescriptor<GithubConfig> = {
  config: GithubConfig,
  settingsOf: ({ apiUrl: url, merging, approves, token, app, writeGapMs }) => ({
    url,
    merging,
    approves,
    writeGapMs,
    key:
      app === undefined
        ? { kind: "token", token }
        : {
            kind: "app",
            id: String(app.id),
            privateKey: app.privateKey,
            installation: app.installation ?? null,
          },
  }),
  openUnmasked: ({ key, onToken, ...options }) => createGithubClient({ ...options, access: accessOf(key, onToken) }),
  createWebhook: createGithubWebhook,
  listRepositories: async ({ key, ...options }) => {
    const access = accessOf(key);
    return access.kind === "app"
      ? await fetchInstallationRepositories({ ...options, access })
      : { names: [], isCut: false };
  },
  codeOwnersFolders: [".github"],
  pullPage: (url, { repository, number }) => `${webUrl(url)}/${repository.name}/pull/${number}`,
  findPullAddress: (address) => {
    const path = readPullPath(address.pathname);
    // GitHub has no repository below a path.
    if (path?.word !== "pull" || path.root !== "") return undefined;
    const { repository, number } = path;
    return { url: githubApiUrl(address), repository, number };
  },
  run: {
    tokenVariables: ["GITHUB_TOKEN"],
    exampleUrl: cloudUrl,
    urlMeaning: "where GitHub's API is served",
    writeGapMs: secondMs,
    isJob: (env) => env["GITHUB_ACTIONS"] === "true" && !isGiteaJob(env),
    findJob: ({ GITHUB_WORKFLOW: workflow = "", GITHUB_JOB: id = "" }) =>
      workflow !== "" && id !== "" ? { workflow, id } : undefined,
    findHome: (env) => (isGiteaJob(env) ? undefined : env["GITHUB_API_URL"]) ?? cloudUrl,
    isTokenLasting: (token) => lastingToken.test(token),
  },
  workflow: githubWorkflow,
};

/** All other tokens are taken for the kind that a job is given. */
const lastingToken = /^(?:ghp_|github_pat_)/;

function accessOf(key: ForgeCredentials, onToken?: ForgeClientOptions["onToken"]): GithubAccess {
  return key.kind === "token"
    ? { kind: "token", token: revealCredentials(key) }
    : { kind: "app", appId: key.id, privateKey: revealCredentials(key), installation: key.installation, onToken };
}

const RepositoryEntry = z.object({ full_name: z.string().min(1) });
type RepositoryEntry = z.infer<typeof RepositoryEntry>;
const RepositoryPage = z.object({ repositories: z.array(RepositoryEntry) });

export async function fetchInstallationRepositories(settings: {
  readonly url: string;
  readonly access: Extract<GithubAccess, { readonly kind: "app" }>;
  readonly clock: Clock;
}): Promise<RepositoryList> {
  const { url, access, clock } = settings;
  const send = createSend({
    baseUrl: url.replace(/\/+$/, ""),
    fetch: boundedFetch(environmentFetch(), githubLimits.answerBytesMax),
    clock,
  });
  const app = createApp({ access, send });
  const installations =
    access.installation === null ? await app.listInstallations() : { ids: [access.installation], isCut: false };
  const names = new Set<string>();
  let { isCut } = installations;
  for (const installation of installations.ids) {
    const narrowed = { permissions: { metadata: "read" } };
    const { token } = await app.createToken({ where: `installation ${installation}`, installation, narrowed });
    const listed = await listRepositories(send, token);
    for (const { full_name: name } of listed.entries) names.add(name);
    isCut ||= listed.isCut;
  }
  return { names: [...names], isCut };
}

async function listRepositories(send: Send, token: string): Promise<WalkedList<RepositoryEntry>> {
  const what = "list repositories";
  return await walkPages({
    keyOf: ({ full_name: name }) => name,
    async fetchPage(params) {
      const answer = await send({
        method: "GET",
        path: "/installation/repositories",
        params: { ...params },
        headers: { authorization: `bearer ${token}` },
        timeoutMs: githubLimits.readTimeoutMs,
      });
      if (!isSuccess(answer)) throw forgeError({ what, isWrite: false, answer });
      const read = RepositoryPage.safeParse(answer.data);
      if (!read.success) throw malformedResponse(what, false, read.error);
      return { entries: read.data.repositories, answer };
    },
  });
}
