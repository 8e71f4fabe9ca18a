import { codeSpan } from "#core/words/plain-text.ts";
import { type ChangedFile, isNewPath } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitFile, type Rule } from "#reviewers/rules/rule.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

export const unportablePath: Rule = {
  name: "unportable-path",
  title: "Name that some machines cannot check out",
  score: 7,
  catches:
    "A new path that Windows refuses (`aux.ts`, `a:b`, a dot or blank at the end), or that differs from another one of the change in nothing but capitals, so that macOS and Windows keep only one of both.",
  example: "src/aux.ts",
  scope: "everything",
  applies: isNewPath,
  check: findUnportable,
};

const reserved = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;
const forbidden = /[<>:"|?*\\]/;

function findUnportable(file: ChangedFile, change: RuleContext): readonly Hit[] {
  const problem = nameProblem(file.path) ?? twinProblem(file.path, change);
  if (problem === null) return [];
  return [hitFile({ score: 7, message: `${codeSpan(file.path)} ${problem}. Choose another name.` })];
}

function nameProblem(path: string): string | null {
  for (const segment of path.split("/")) {
    if (reserved.test(segment)) return `holds ${codeSpan(segment)}, which is the name of a device on Windows`;
    if (forbidden.test(segment)) return "holds a character that Windows does not allow in names";
    if (/[. ]$/.test(segment)) return "has a dot or blank at the end of a name, which Windows drops";
  }
  return null;
}

/** The later of both has the finding. */
function twinProblem(path: string, { firstByLowerCase }: RuleContext): string | null {
  const twin = firstByLowerCase.get(path.toLowerCase());
  if (twin === undefined || twin === path) return null;
  return `differs from ${codeSpan(twin)} only in capitals, so macOS and Windows keep one of both`;
}
