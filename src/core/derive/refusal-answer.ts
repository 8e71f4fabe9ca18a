import type { AccountId, CommentId } from "#core/model/ids.ts";
import type { SaidCommand } from "#core/model/situation.ts";

export type RefusalAnswer = "words" | "reaction" | "none";

/** Each answer is a write, and everybody is notified of each comment. */
const refusalLimits = {
  wordsMax: 1,
  /** The author of a pull may give some commands, so there is more to explain to them. */
  authorWordsMax: 3,
  answersMax: 10,
  allWordsMax: 10,
  allAnswersMax: 50,
} as const;

/** Commands come in order of time, so an answered one is never counted anew. */
export function refusalAnswers(
  commands: readonly SaidCommand[],
  pullAuthor: AccountId,
): ReadonlyMap<CommentId, RefusalAnswer> {
  const answers = new Map<CommentId, RefusalAnswer>();
  const given = new Map<AccountId, { words: number; answers: number }>();
  const all = { words: 0, answers: 0 };
  for (const said of commands) {
    if (said.isWriter || !isRefused(said)) continue;
    const own = given.get(said.by.id) ?? { words: 0, answers: 0 };
    given.set(said.by.id, own);
    const wordsMax = said.by.id === pullAuthor ? refusalLimits.authorWordsMax : refusalLimits.wordsMax;
    const isAnswered = own.answers < refusalLimits.answersMax && all.answers < refusalLimits.allAnswersMax;
    const isExplained = isAnswered && own.words < wordsMax && all.words < refusalLimits.allWordsMax;
    for (const count of [own, all]) {
      count.answers += Number(isAnswered);
      count.words += Number(isExplained);
    }
    answers.set(said.comment, isExplained ? "words" : isAnswered ? "reaction" : "none");
  }
  return answers;
}

function isRefused({ standing }: SaidCommand): boolean {
  return standing.kind === "consumed"
    ? standing.outcome === "refused" || standing.outcome === "malformed"
    : standing.ruling.kind === "refuse" || standing.ruling.kind === "malformed";
}
