import { z } from "zod";
import { ModelName, ModelsConfig, PricesConfig } from "#config/model-config.ts";
import { isPlainUrl } from "#config/plain-url.ts";
import { SecretSource } from "#config/secret-source.ts";
import { Budgets } from "#core/budget/budgets.ts";
import { InstanceId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { Retention } from "#core/model/retention.ts";
import { Rules } from "#core/model/rules.ts";

const repositoryName = z.string().regex(/^(?!\.{1,2}\/)[^/\s]+\/(?!\.{1,2}$)[^/\s]+$/, 'expected "owner/name"');

/** Two, so that a secret can be changed without a gap; more would only be forgotten ones. */
const webhookSecretsMax = 2;

const address = z
  .url({ protocol: /^https?$/, error: "expected an address such as https://forge.example", abort: true })
  .refine(isPlainUrl, { error: "expected an address such as https://forge.example, and nothing else in it" });

const common = {
  /** Names this installation on this forge: never change it, everything that is remembered hangs on it. */
  name: InstanceId,
  webhookSecrets: z
    .array(SecretSource)
    .max(webhookSecretsMax)
    .default(() => []),
  /**
   * Accounts that are programs, beside those that the forge or their name tells: a number is an id, a text a login. Their
   * words command nothing and their thumbs approve nothing, unless `rules.trustedBots` lists them too.
   */
  bots: z.array(z.union([z.int(), z.string().min(1)])).default(() => []),
  /**
   * Under which name the gate stands at a commit. Two jobs with one account, which play other roles and have other secrets, need a
   * name each: else each of them says its own word in place of the other's.
   */
  gateName: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,49}$/, "expected a name of letters, digits, blanks and . _ / - (50 at most)")
    .optional(),
};

/**
 * Durations for tests of failures: a sandbox forge shows every write at once, while real forges may be stale for up to
 * a minute. A test should not wait for that.
 */
const SandboxSpans = z.strictObject({
  leaseMs: z.number().int().min(secondMs).optional(),
  marginMs: z.number().int().min(0).optional(),
  settleMs: z.number().int().min(0).optional(),
  retryMs: z.number().int().min(1).optional(),
  writeGapMs: z.number().int().min(0).optional(),
});

const SandboxForge = z.strictObject({
  kind: z.literal("sandbox"),
  ...common,
  url: address,
  token: SecretSource,
  /** Those that are polled. Without any, only webhooks say where to look. */
  repositories: z.array(repositoryName),
  manner: z.enum(["github", "gitea"]).default("github"),
  spans: SandboxSpans.default(() => ({})),
});

const GithubApp = z.strictObject({
  /** The number on the App's own page. */
  id: z.number().int().positive(),
  privateKey: SecretSource,
  /** Where it is installed; without it the repository that is asked about tells. */
  installation: z.number().int().positive().optional(),
});

const GithubForge = z
  .strictObject({
    kind: z.literal("github"),
    ...common,
    /** The root of the REST API; of an Enterprise server `https://HOST/api/v3`. */
    apiUrl: address.default("https://api.github.com"),
    token: SecretSource.optional(),
    app: GithubApp.optional(),
    /** Those that are polled. Without the list, those of the App's installation; with a token, none. */
    repositories: z.array(repositoryName).optional(),
    /**
     * `direct`: Drover merges by itself. `forge`: through the merge queue of the base branch where there is one, and by
     * auto-merge where it is too early; that one does not know which head was approved.
     */
    merging: z.enum(["direct", "forge"]).default("direct"),
    /** Whether the account may approve. Unless told: everybody but the token of a job, which repositories seldom let. */
    approves: z.boolean().optional(),
    /** Between two writes. GitHub asks for a second; an Enterprise server without limits can do with less. */
    writeGapMs: z.number().int().min(0).default(secondMs),
  })
  .refine(({ token, app }) => (token === undefined) !== (app === undefined), {
    error: "expected either `token` or `app`",
  });
export type GithubForge = z.infer<typeof GithubForge>;

/**
 * Gitea has no rate limit of its own. A private server should not be flooded all the same, and readers prefer changes
 * that come one after the other.
 */
export const giteaWriteGapMs = 100;

const GiteaForge = z.strictObject({
  kind: z.literal("gitea"),
  ...common,
  /** Where people see it: `https://git.example`, and the path below which it is served, if there is one. */
  url: address.refine((url) => !/\/api(?:\/v1)?\/*$/.test(url), {
    error: "expected the address that people use, without /api/v1",
  }),
  token: SecretSource,
  /** Those that are polled. Without any, only webhooks say where to look. */
  repositories: z.array(repositoryName).default(() => []),
  writeGapMs: z.number().int().min(0).default(giteaWriteGapMs),
});

export const ForgeConfig = z.discriminatedUnion("kind", [SandboxForge, GithubForge, GiteaForge]);
export type ForgeConfig = z.infer<typeof ForgeConfig>;

/** In whose manner it sends webhooks. */
export function mannerOf(forge: ForgeConfig): "github" | "gitea" {
  return forge.kind === "sandbox" ? forge.manner : forge.kind;
}

/** Deliveries of one manner come to one path, and the secret alone tells them apart. */
function sharesSecret(left: ForgeConfig, right: ForgeConfig): boolean {
  const known = new Set(left.webhookSecrets.map((source) => JSON.stringify(source)));
  return mannerOf(left) === mannerOf(right) && right.webhookSecrets.some((source) => known.has(JSON.stringify(source)));
}

const limit = z.number().int().positive();

/** How many of each may run at the same time, over all replicas and for each forge. */
const Limits = z.strictObject({
  reviews: limit.default(4),
  talks: limit.default(4),
  sessions: limit.default(2),
});

const BatchWebhooks = z.strictObject({
  openai: z
    .array(SecretSource)
    .max(webhookSecretsMax)
    .default(() => []),
});

export const OperatorConfig = z.strictObject({
  forges: z
    .array(ForgeConfig, "expected a list of forges")
    .min(1, "expected at least one forge")
    .refine((forges) => new Set(forges.map(({ name }) => name)).size === forges.length, "two forges have the same name")
    .refine(
      (forges) => forges.every((forge, index) => forges.slice(0, index).every((other) => !sharesSecret(forge, other))),
      "two forges share a webhook secret, so deliveries cannot be told apart",
    ),
  rules: Rules.prefault(() => ({})),
  /** By the names that roles know them by. The first one plays every role that names none. */
  models: ModelsConfig.default(() => ({})),
  /** By `provider/model` or by the model alone, where the built-in table is wrong or does not know. */
  prices: PricesConfig.default(() => ({})),
  /** Which of the models answers questions and disputes; the first one where nothing is said. */
  conversationModel: ModelName.optional(),
  /** With what providers sign their word that a batch has ended; without a secret batches are only asked after. */
  batchWebhooks: BatchWebhooks.prefault(() => ({})),
  /** What models may cost, in dollars; what is not named has no cap. */
  budgets: Budgets.prefault(() => ({})),
  retention: Retention.prefault(() => ({})),
  /** Names beside addresses and names without a dot under which the server tells of itself (`/metrics`). */
  hosts: z.array(z.string().regex(/^[A-Za-z0-9.-]+$/, "expected the name of a host, without a port")).default(() => []),
  /** Of one kind of work, as many as this process deals with at the same time, for each forge. One of each kind always may. */
  workers: z.number().int().min(1).max(64).default(4),
  limits: Limits.prefault(() => ({})),
  /** How long a stopping server waits for what is running before it hands it back. */
  stopMs: z
    .number()
    .int()
    .min(0)
    .default(20 * secondMs),
});
export type OperatorConfig = z.infer<typeof OperatorConfig>;
