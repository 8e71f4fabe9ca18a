import type { Situation } from "#core/model/situation.ts";
import { counted } from "#core/words/counted.ts";
import { codeSpan, plainText } from "#core/words/plain-text.ts";

const wordsCharactersMax = 600;

export function budgetSection({ review }: Pick<Situation, "review">): readonly string[] {
  const lines = review.roles.flatMap((role) => {
    if (role.kind !== "completed" || role.run.state.kind !== "completed") return [];
    const left = role.coverage.unread.filter(({ why }) => why === "budget").length;
    if (left === 0) return [];
    const words =
      role.coverage.filesRead === 0
        ? plainText(role.run.state.summary, wordsCharactersMax)
        : `${counted(left, "file", "files")} not read.`;
    return [`${codeSpan(role.role)}: ${words}`];
  });
  return lines.length === 0 ? [] : [`**Budget:** ${lines.join("\n\n")}`];
}
