import { z } from "zod";
import { type ForgeConfig, type ForgeConfigSchema, mannerOf, webhookSecretsMax } from "#config/forge-config.ts";
import { ModelName, ModelsConfig, PricesConfig } from "#config/model-config.ts";
import { SecretSource } from "#config/secret-source.ts";
import { Budgets } from "#core/budget/budgets.ts";
import { secondMs } from "#core/model/instant.ts";
import { Retention } from "#core/model/retention.ts";
import { Rules } from "#core/model/rules.ts";

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

export const operatorKeys = {
  rules: Rules.prefault(() => ({})),
  /** By the names that roles use. The first one plays every role that names none. */
  models: ModelsConfig.default(() => ({})),
  /** By `provider/model` or by the model alone, where the built-in table is wrong or does not know. */
  prices: PricesConfig.default(() => ({})),
  /** Answers questions and disputes; without it the first model. */
  conversationModel: ModelName.optional(),
  /** Secrets for the providers' messages that a batch has ended; without one Drover polls. */
  batchWebhooks: BatchWebhooks.prefault(() => ({})),
  /** In dollars; what is not named has no cap. */
  budgets: Budgets.prefault(() => ({})),
  retention: Retention.prefault(() => ({})),
  /** Host names under which `/metrics` answers, beside addresses and names without a dot. */
  hosts: z.array(z.string().regex(/^[A-Za-z0-9.-]+$/, "expected the name of a host, without a port")).default(() => []),
  /** Per kind of work, process and forge. One of each kind always may run. */
  workers: z.number().int().min(1).max(64).default(4),
  limits: Limits.prefault(() => ({})),
  /** How long a stopping server waits for running work before it hands it back. */
  stopMs: z
    .number()
    .int()
    .min(0)
    .default(20 * secondMs),
};

export function operatorConfigOf(kinds: readonly ForgeConfigSchema[]) {
  const [first, ...others] = kinds;
  if (first === undefined) throw new Error("there is no kind of forge");
  const forge = z.discriminatedUnion("kind", [first, ...others]);
  const forges = z
    .array(forge, "expected a list of forges")
    .min(1, "expected at least one forge")
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, "two forges have the same name")
    .refine(
      (list) => list.every((each, index) => list.slice(0, index).every((other) => !sharesSecret(each, other))),
      "two forges share a webhook secret, so deliveries cannot be told apart",
    );
  return z.strictObject({ forges, ...operatorKeys });
}
export type OperatorConfig = z.infer<ReturnType<typeof operatorConfigOf>>;
