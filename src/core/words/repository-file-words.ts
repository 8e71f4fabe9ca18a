import { repositoryFilePath } from "#core/review/repository-file.ts";
import { codeSpan } from "#core/words/plain-text.ts";

const problemCharactersMax = 200;

export function repositoryFileWords(problems: readonly string[]): string {
  if (problems.length === 0) return "";
  const said = problems.map((problem) => codeSpan(problem.slice(0, problemCharactersMax)));
  return `Not all of ${codeSpan(repositoryFilePath)} on the base branch holds: ${said.join("; ")}.`;
}

export const baseFileProblems = {
  noBase: "git does not have the base branch",
  tooLarge: (bytesMax: number): string => `it has more than ${bytesMax} bytes`,
  notPlain: "it is no plain file",
} as const;
