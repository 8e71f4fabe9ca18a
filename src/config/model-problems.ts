import { closestWord } from "#config/closest-word.ts";
import type { OperatorConfig } from "#config/operator-config.ts";

type Named = Pick<OperatorConfig, "rules" | "models" | "conversationModel">;

/** A schema sees one place at a time, so it cannot check names across the file. */
export function modelProblems({ rules, models, conversationModel }: Named): readonly string[] {
  const said = [
    ...Object.entries(models).map(([name, { cheaper }]) => ({ place: `models.${name}.cheaper`, model: cheaper })),
    { place: "conversationModel", model: conversationModel },
    { place: "rules.reviews.injectionVerifier", model: rules.reviews.injectionVerifier },
    ...rules.reviews.roles.map(({ model }, index) => ({ place: `rules.reviews.roles.${index}.model`, model })),
  ];
  const known = Object.keys(models);
  const unknown = said.flatMap(({ place, model }) =>
    model === undefined || known.includes(model) ? [] : [`${place}: ${unknownModel(model, known)}`],
  );
  const own = Object.entries(models).flatMap(([name, { cheaper }]) =>
    cheaper === name ? [`models.${name}.cheaper: a model cannot be its own cheaper model`] : [],
  );
  return [...unknown, ...own];
}

function unknownModel(model: string, known: readonly string[]): string {
  if (known.length === 0) return `there is no model "${model}": \`models\` has none`;
  const meant = closestWord(model, known);
  const guess = meant === undefined ? "" : `; is "${meant}" meant?`;
  return `there is no model "${model}"${guess === "" ? "." : guess} There is: ${known.join(", ")}.`;
}
