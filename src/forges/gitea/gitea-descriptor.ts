import { z } from "zod";
import { commonForgeKeys, repositoryName, serverAddress } from "#config/forge-config.ts";
import { SecretSource } from "#config/secret-source.ts";
import { revealCredentials } from "#forges/forge-credentials.ts";
import type { ForgeDescriptor } from "#forges/forge-descriptor.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import { giteaWorkflow } from "#forges/gitea/gitea-workflow.ts";
import { isGiteaJob } from "#forges/gitea-job.ts";
import { readPullPath } from "#forges/pull-path.ts";

/** Gitea has no rate limit: this spares private servers, and readers prefer changes one after the other. */
const writeGapMsUsual = 100;

const GiteaConfig = z.strictObject({
  kind: z.literal("gitea"),
  ...commonForgeKeys,
  /** `https://git.example`, with the path below which it is served. */
  url: serverAddress.refine((url) => !/\/api(?:\/v1)?\/*$/.test(url), {
    error: "expected the address that people use, without /api/v1",
  }),
  token: SecretSource,
  /** Polled; without any, only webhooks say where to look. */
  repositories: z.array(repositoryName).default(() => []),
  writeGapMs: z.number().int().min(0).default(writeGapMsUsual),
});
type GiteaConfig = z.infer<typeof GiteaConfig>;

export const giteaDescriptor: ForgeDescriptor<GiteaConfig> = {
  config: GiteaConfig,
  findServerProblem: ({ webhookSecrets, repositories }) =>
    webhookSecrets.length + repositories.length > 0
      ? undefined
      : "expected `webhookSecrets` or `repositories`: nothing else says where to look",
  settingsOf: ({ url, token, writeGapMs }) => ({
    url: url.replace(/\/+$/, ""),
    writeGapMs,
    key: { kind: "token", token },
  }),
  openUnmasked: ({ key, ...options }) => createGiteaClient({ ...options, token: revealCredentials(key) }),
  createWebhook: createGiteaWebhook,
  codeOwnersFolders: [".gitea", ".forgejo"],
  pullPage: (url, { repository, number }) => `${url.replace(/\/+$/, "")}/${repository.name}/pulls/${number}`,
  findPullAddress: ({ origin, pathname }) => {
    const path = readPullPath(pathname);
    if (path?.word !== "pulls") return undefined;
    return { url: `${origin}${path.root}`, repository: path.repository, number: path.number };
  },
  run: {
    tokenVariables: ["GITEA_TOKEN", "FORGEJO_TOKEN"],
    jobTokenVariable: "GITHUB_TOKEN",
    exampleUrl: "https://git.example",
    urlMeaning: "where the Gitea server is, such as https://git.example (or set GITEA_URL)",
    writeGapMs: writeGapMsUsual,
    isJob: isGiteaJob,
    findHome: (env) =>
      env["GITEA_URL"] ?? (isGiteaJob(env) ? (env["GITHUB_API_URL"] ?? env["GITHUB_SERVER_URL"]) : undefined),
    clientUrl: (url) => url.replace(/\/api\/v1$/, ""),
    // Gitea's tokens all look alike: within a job, any of them may be the job's.
    isTokenLasting: (_, { isJob }) => !isJob,
  },
  workflow: giteaWorkflow,
};
