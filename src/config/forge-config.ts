import { z } from "zod";
import { isPlainUrl } from "#config/plain-url.ts";
import { SecretSource } from "#config/secret-source.ts";
import { InstanceId } from "#core/model/ids.ts";

export interface ForgeConfig {
  readonly kind: string;
  readonly name: InstanceId;
  readonly webhookSecrets: readonly SecretSource[];
  readonly bots: readonly (string | number)[];
  readonly gateName?: string | undefined;
  readonly repositories?: readonly string[] | undefined;
  readonly manner?: string;
}

export type ForgeConfigSchema<Config extends ForgeConfig = ForgeConfig> = z.ZodType<Config> &
  z.core.$ZodTypeDiscriminable;

export const repositoryName = z.string().regex(/^(?!\.{1,2}\/)[^/\s]+\/(?!\.{1,2}$)[^/\s]+$/, 'expected "owner/name"');

/** Two, so that a secret can be changed without a gap; more would only be forgotten ones. */
export const webhookSecretsMax = 2;

export const serverAddress = z
  .url({ protocol: /^https?$/, error: "expected an address such as https://forge.example", abort: true })
  .refine(isPlainUrl, { error: "expected an address such as https://forge.example, and nothing else in it" });

export const commonForgeKeys = {
  /** Identifies this installation: never change it, all stored data depends on it. */
  name: InstanceId,
  webhookSecrets: z
    .array(SecretSource)
    .max(webhookSecretsMax)
    .default(() => []),
  /** A number is an id, a text a login. Words of bots command nothing unless `rules.trustedBots` lists them too. */
  bots: z.array(z.union([z.int(), z.string().min(1)])).default(() => []),
  /** Two jobs with one account need a name each: else each of them would overwrite the gate of the other. */
  gateName: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,49}$/, "expected a name of letters, digits, blanks and . _ / - (50 at most)")
    .optional(),
};

export function mannerOf({ manner, kind }: Pick<ForgeConfig, "manner" | "kind">): string {
  return manner ?? kind;
}
