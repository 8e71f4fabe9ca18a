import { z } from "zod";
import { isPlainUrl } from "#config/plain-url.ts";
import { SecretSource } from "#config/secret-source.ts";

/** `compatible` is any server that speaks OpenAI's chat completions. */
const Provider = z.enum(["anthropic", "openai", "google", "openrouter", "compatible"]);
export type Provider = z.infer<typeof Provider>;

export const ModelName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "expected a lower-case word of at most 40 characters");

const address = z
  .url({ protocol: /^https?$/, error: "expected an address such as https://gateway.example/v1", abort: true })
  .refine(isPlainUrl, { error: "expected an address such as https://gateway.example/v1, and nothing else in it" });

/** Instructions, tools, three answers, and some lines of a diff. */
const contextTokensMin = 8_192;

const ChainEntry = z
  .strictObject({
    provider: Provider,
    model: z.string().regex(/^\S{1,200}$/, "expected the name of a model, as its provider writes it"),
    /** Without it, the provider's usual variable; a compatible server is then asked without one. */
    key: SecretSource.optional(),
    /** Prompts and the key are sent there. */
    baseUrl: address.optional(),
    /** Whether the server is made to keep to the shape of an answer, or only told of it. */
    shapes: z.enum(["told", "enforced"]).optional(),
    /** `none`: it sees only the change, so that a server can be made to keep to the shape in every turn. */
    tools: z.enum(["given", "none"]).optional(),
    /** Prompt and answers together. Only for models that take less than large ones. */
    contextTokens: z
      .number()
      .int()
      .min(contextTokensMin, `expected at least ${contextTokensMin}: a smaller window holds no review`)
      .max(100_000_000)
      .optional(),
  })
  .superRefine(({ provider, baseUrl }, context) => {
    const said = (message: string): void => context.addIssue({ code: "custom", path: ["baseUrl"], message });
    if (provider === "compatible" && baseUrl === undefined) {
      said("expected the address of the server, such as http://127.0.0.1:11434/v1: a compatible one can be anywhere");
    }
    if (provider !== "compatible" && baseUrl !== undefined && isReadable(new URL(baseUrl))) {
      said(
        "expected https: the key would travel in the open. A server of your own that has none is `provider: compatible`",
      );
    }
  });
export type ConfiguredChainEntry = z.infer<typeof ChainEntry>;

/** Traffic on this machine needs no encryption: a local proxy, or a stand-in for trials. */
function isReadable({ protocol, hostname }: URL): boolean {
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  return protocol === "http:" && !isLoopback;
}

/** More would only be asked when the world is down anyway. */
const chainMax = 8;
const modelsMax = 50;

const ModelConfig = z.strictObject({
  /** In this order; the next one only if those before are out. */
  chain: z
    .array(ChainEntry, "expected a list of { provider, model }")
    .min(1, "expected at least one { provider, model }")
    .max(chainMax),
  cheaper: ModelName.optional(),
});

export const ModelsConfig = z
  .record(ModelName, ModelConfig)
  .refine((models) => Object.keys(models).length <= modelsMax, `expected at most ${modelsMax} models`);
export type ModelsConfig = z.infer<typeof ModelsConfig>;

const dollars = z.number().min(0).max(10_000);

const rates = {
  /** Dollars for a million tokens. */
  input: dollars,
  cached: dollars,
  /** Input that was put into the cache; without it, what input costs, and at Anthropic a quarter more. */
  cacheWrite: dollars.optional(),
  output: dollars,
};

export const PricesConfig = z.record(
  z.string().regex(/^\S{1,240}$/, "expected a model, or provider/model"),
  z.strictObject({
    ...rates,
    /** The rates of prompts with at least this many tokens of input. */
    long: z.strictObject({ tokensInMin: z.number().int().positive(), ...rates }).optional(),
  }),
);
export type PricesConfig = z.infer<typeof PricesConfig>;
