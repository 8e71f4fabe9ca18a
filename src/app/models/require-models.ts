import { StartError } from "#app/start-error.ts";
import type { OperatorConfig } from "#config/operator-config.ts";

/** Every review of such a server would fail, on every pull. */
export function requireModels({ rules, models }: Pick<OperatorConfig, "rules" | "models">): void {
  if (Object.keys(models).length > 0) return;
  const role = rules.reviews.roles.find(({ reviewer }) => reviewer === "model");
  if (role === undefined) return;
  throw new StartError(
    `the role "${role.name}" is to be played by a model, and the configuration has none. Write one into it, such as ` +
      "`models: { main: { chain: [{ provider: anthropic, model: claude-sonnet-4-5 }] } }`, with its key in the " +
      "environment variable ANTHROPIC_API_KEY (docs/operating/models.md); or set the role's reviewer to `rules`.",
  );
}
