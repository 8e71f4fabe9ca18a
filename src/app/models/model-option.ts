import { defaultKeyVariables } from "#app/models/default-key-variables.ts";
import { StartError } from "#app/start-error.ts";
import type { ModelsConfig } from "#config/model-config.ts";
import type { SecretLookup } from "#config/read-secret.ts";

/** No configuration can have a model of this name. */
export const modelOptionName = "--model";

/** `openrouter/qwen/qwen3-coder`: the part before the first slash is the provider. */
export function readModelOption(text: string, env: SecretLookup["env"]): ModelsConfig {
  const border = text.indexOf("/");
  const [provider, model] = [text.slice(0, Math.max(0, border)), text.slice(border + 1)];
  if (provider === "compatible") {
    throw new StartError(
      "--model compatible/… needs the server's URL. Set `baseUrl` in a configuration and pass it with --config FILE.",
    );
  }
  const known = providers.find((one) => one === provider);
  if (known === undefined || !/^\S{1,200}$/.test(model)) {
    const all = providers.join(", ");
    throw new StartError(`--model ${text}: expected PROVIDER/MODEL, where the provider is one of ${all}.`);
  }
  const names = defaultKeyVariables[known];
  if (names.every((name) => (env[name] ?? "") === "")) {
    throw new StartError(`--model ${text}: ${names.join(" or ")} is not set, which holds its key.`);
  }
  return { [modelOptionName]: { chain: [{ provider: known, model }] } };
}

const providers = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
] as const satisfies readonly (keyof typeof defaultKeyVariables)[];
