import { z } from "zod";
import { composeBody } from "#act/body.ts";
import { ensureComment } from "#act/comment.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { ensureState, laneWait, threadLane } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import type { Remark } from "#core/derive/remarks.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { TalkJobData } from "#core/model/job.ts";
import { answerWords, failedAnswerWords, noModelWords, refusedAnswerWords } from "#core/words/talk-words.ts";
import { askOnce } from "#jobs/ask-model.ts";
import { talkView } from "#jobs/change-view.ts";
import { aboutData, codeData, findWording, saidData } from "#jobs/conversation-data.ts";
import { finished, stopIfLost } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { type Again, countCost, endAfter, tryAgain } from "#jobs/job-turn.ts";
import { compareOnce } from "#jobs/optional-git.ts";
import { answerTask, data, promptVersion } from "#jobs/prompts.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";

type Task = Extract<TalkJobData["task"], { readonly kind: "answer" }>;

const Answer = z.strictObject({ words: z.string(), costMicroUsd: z.number().int().nonnegative() });
type Answer = z.infer<typeof Answer>;
/** Of this wording: the same job answers the next one too, and may meet what a worker that stood still has left. */
const stepOf = ({ revision }: Task) => ({ name: `answer/${revision}`, schema: Answer });

/** Answers one wording of a question, once: anew where there is no answer, else by editing the one that is there. */
export async function answer(
  place: JobPlace,
  turn: Turn,
  job: { readonly key: string; readonly task: Task },
): Promise<JobEnd> {
  const { task } = job;
  const remark = findWording(turn, task);
  const known = turn.seen.records.questions.find(({ comment }) => comment === task.comment);
  const isAnswered = known?.status === "ANSWERED" && known.revision === task.revision;
  if (remark === undefined || isAnswered) return finished;
  const step = stepOf(task);
  const made = (await findStep(place, step)) ?? (await compose(place, turn, { ...remark, step: step.name }));
  if ("kind" in made) return made;
  const { words, costMicroUsd } = await rememberStep(place, step, async () => made);
  await countCost(place, turn, step.name, costMicroUsd);
  stopIfLost(place);
  const say = { key: job.key, task, words, remark };
  // An answer to an earlier wording may have been found while the model was asked: its sender stood still, or its own
  // answer was lost. What is known by now decides, once nothing is on its way any more.
  const waiting = await laneWait(turn, { key: job.key, lane: effectOf(say).lane });
  if (waiting !== undefined) return endAfter(waiting);
  const stored = await place.parts.store.findPull(turn.key);
  // It may have been settled as an argument meanwhile.
  if (stored?.records.disputes.some((one) => one.reply === task.comment && one.revision === task.revision) === true)
    return finished;
  const now = stored?.records.questions.find(({ comment }) => comment === task.comment);
  const earlier = now?.answer ?? task.earlierAnswer;
  if (earlier === null) return endAfter(await writeAnswer(turn, say));
  const edited = await editAnswer(turn, { ...say, earlier });
  const isGone = edited.kind === "refused" && edited.error === "not_found";
  // Under a name of its own: these words may have been an answer before, to the same wording, and were deleted with it.
  return endAfter(isGone ? await writeAnswer(turn, { ...say, key: `${job.key}#after/${earlier}` }) : edited);
}

const answerCharactersMax = 16_000;

async function compose(
  place: JobPlace,
  turn: Turn,
  { comment, thread, step }: Pick<Remark, "comment" | "thread"> & { readonly step: string },
): Promise<Answer | Again> {
  const { model } = place.parts;
  const { handle } = turn.seen.rules;
  const to = thread === null ? comment.author.login : null;
  if (model === null) return { words: noModelWords(to, handle), costMicroUsd: 0 };
  const compare = compareOnce(turn);
  const asked = await askOnce(place, turn, {
    model,
    step,
    purpose: "answer",
    task: answerTask,
    about: aboutData(turn),
    said: [...saidData(turn, thread), ...(await codeData(compare, thread)), data("the question", comment.body)],
    view: () => talkView(place, turn, { compare, role: null, path: thread?.path ?? null }),
    answerCharactersMax,
  });
  const { costMicroUsd } = asked;
  if (asked.kind === "refused") return { words: refusedAnswerWords(asked.refusal, to, handle), costMicroUsd };
  if (asked.kind === "answered" && asked.text.trim() !== "") {
    return { words: answerWords(asked.text, { to, suspects: asked.suspects, handle }), costMicroUsd };
  }
  const { why, retryAt } = asked.kind === "failed" ? asked : silence;
  const again = await tryAgain(place, turn, { step, retryAt, costMicroUsd });
  return again ?? { words: failedAnswerWords(why, to, handle), costMicroUsd };
}

const silence = { why: "an empty answer", retryAt: null };

interface Saying {
  readonly key: string;
  readonly task: Task;
  readonly words: string;
  readonly remark: Remark;
}

function effectOf({ task, remark }: Saying): Pick<Effect, "lane" | "head" | "why" | "note"> {
  const { comment, revision } = task;
  return {
    // Of one question only one answer is under way, whatever its wording.
    lane: remark.thread === null ? `answer/${comment}` : threadLane(remark.thread.id),
    head: null,
    why: {
      askedBy: remark.comment.author.login,
      rule: "a question gets one answer",
      inputs: [comment, revision, promptVersion],
    },
    note: { kind: "answered", question: { comment, revision } },
  };
}

function blocksOf({ task }: Saying, answered: CommentId | null): readonly BlockContent[] {
  const { comment, revision } = task;
  return [
    { type: "question", data: { comment, revision, status: "ANSWERED", answer: answered } },
    { type: "question-answer", data: { comment, revision } },
  ];
}

async function writeAnswer(turn: Turn, say: Saying): Promise<Outcome> {
  const { key, task, words } = say;
  const blocks = blocksOf(say, null);
  return await ensureComment(turn, { ...effectOf(say), key, kind: "answer", thread: task.thread, words, blocks });
}

async function editAnswer(turn: Turn, say: Saying & { readonly earlier: CommentId }): Promise<Outcome> {
  const { key, words, earlier } = say;
  const { comments, threads } = turn.seen;
  const standing = [...comments, ...threads.flatMap((thread) => thread.comments)].find(({ id }) => id === earlier);
  const mark = readMark(standing?.body ?? "");
  const body = await composeBody(turn, {
    mark: mark === undefined ? null : { kept: mark },
    words,
    blocks: blocksOf(say, earlier),
  });
  return await ensureState(
    turn,
    { ...effectOf(say), key: `${key}#edit`, kind: "answer_edit" },
    () => turn.parts.forge.editComment({ pull: turn.ref, comment: earlier, body, urgency: "people" }),
    earlier,
  );
}
