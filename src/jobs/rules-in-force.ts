import { z } from "zod";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { baseRulesBytesMax, type RulesInForce, repositoryFilePath } from "#core/review/repository-file.ts";
import { baseFileProblems, repositoryFileWords } from "#core/words/repository-file-words.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { rememberStep } from "#jobs/remember-step.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";
import type { FileRead } from "#ports/git.ts";

const ReadFile = z.strictObject({ text: z.string().nullable(), problem: z.string().nullable() });

/** `note` says for the summary what is invalid in the file of the base branch. */
export interface BaseRulesRead extends Pick<RulesInForce, "rules"> {
  readonly note: string;
}

/** Read once for each run: all later steps, also after a crash, use the same text. */
export async function readRulesInForce(
  context: JobContext,
  compared: ComparedCommits,
  rules: Rules,
): Promise<BaseRulesRead> {
  const { addBaseRules } = context.dependencies;
  if (addBaseRules === undefined) return { rules, note: "" };
  const { text, problem } = await rememberStep(context, { name: "base rules", schema: ReadFile }, async () => {
    const { mirror, base: commit } = compared;
    return fileOf(
      await mirror.readFile({ commit, path: repositoryFilePath, bytesMax: baseRulesBytesMax, signal: context.signal }),
    );
  });
  if (text === null) return { rules, note: problem === null ? "" : repositoryFileWords([problem]) };
  const added = addBaseRules(rules, text);
  return { rules: added.rules, note: repositoryFileWords(added.problems) };
}

function fileOf(read: FileRead): z.infer<typeof ReadFile> {
  switch (read.kind) {
    case "file":
      return { text: new TextDecoder().decode(read.bytes), problem: null };
    case "absent":
      return { text: null, problem: null };
    case "unknown_commit":
      return { text: null, problem: baseFileProblems.noBase };
    case "too_large":
      return { text: null, problem: baseFileProblems.tooLarge(baseRulesBytesMax) };
    case "folder":
    case "link":
    case "submodule":
      return { text: null, problem: baseFileProblems.notPlain };
    default:
      return never(read);
  }
}
