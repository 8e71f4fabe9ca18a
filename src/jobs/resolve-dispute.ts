import { z } from "zod";
import type { EffectOutcome } from "#act/effect.ts";
import { type Earlier, ensureSaid } from "#act/ensure-comment.ts";
import { mentionsOf } from "#act/ensure-escalated.ts";
import { threadLane, waitForLane } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { headAt } from "#core/commands/head-at.ts";
import { deriveHeads } from "#core/derive/heads.ts";
import { peopleOf } from "#core/derive/people.ts";
import type { Remark } from "#core/derive/remarks.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import { writtenAt } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import type { CommentId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import type { TalkJobData } from "#core/model/job.ts";
import type { DisputeRecord, Records } from "#core/model/records.ts";
import { type Argued, type DisputeOutcome, disputeOutcome } from "#core/review/dispute-outcome.ts";
import { readWaiver } from "#core/review/read-waiver.ts";
import { budgetRefusalWords } from "#core/words/budget-words.ts";
import {
  disputeWords,
  failedDisputeWords,
  noAnswerWords,
  orderedWords,
  unreadableWords,
  unweighedWords,
} from "#core/words/talk-words.ts";
import { askModel } from "#jobs/ask-model.ts";
import { talkView } from "#jobs/change-view.ts";
import { aboutData, codeData, elsewhereData, findingData, findWording, saidData } from "#jobs/conversation-data.ts";
import { finished, type JobContext, type JobOutcome, throwIfLeaseLost } from "#jobs/job-context.ts";
import { addCostOnce, patienceMsMax, type RetryLater, retryStep } from "#jobs/job-retries.ts";
import { lazyComparison } from "#jobs/lazy-comparison.ts";
import { leaveUnanswered, type UnansweredRemarks } from "#jobs/leave-unanswered.ts";
import { disputeInstructions } from "#jobs/prompts.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { jobOutcomeAfter } from "#jobs/run-job.ts";

type Task = Extract<TalkJobData["task"], { readonly kind: "resolve_dispute" }>;

const Proposed = z.strictObject({
  proposal: z.enum(["concede", "maintain", "escalate"]),
  /** Null: no model was asked, and nothing is to be said about that. */
  reason: z.string().nullable(),
  costMicroUsd: z.number().int().nonnegative(),
  failure: z.strictObject({ why: z.string(), retryAt: Instant.nullable() }).optional(),
});
type Proposed = z.infer<typeof Proposed>;
/** Per wording: the same job weighs the next reply too, and may meet what a suspended worker left. */
function stepOf({ replies }: Task) {
  const wordings = replies.map(({ comment, revision }) => `${comment} ${revision}`);
  return { name: `proposal/${digestOf(JSON.stringify(wordings))}`, schema: Proposed };
}

/** A model only weighs the argument; the rules decide. */
export async function resolveDispute(
  jobContext: JobContext,
  pullContext: PullContext,
  job: { readonly key: string; readonly task: Task },
): Promise<JobOutcome> {
  const { task } = job;
  const { records } = pullContext.seen;
  const finding = records.findings.find(({ id }) => id === task.finding);
  const replies = task.replies.map((reply) => findWording(pullContext, reply)).filter((remark) => remark !== undefined);
  // An edited, deleted or settled reply makes another dispute, which the next tick plans.
  if (finding === undefined || replies.length < task.replies.length || isSettled(task, records)) return finished;
  const argued = { finding, replies };
  const step = stepOf(task);
  const made =
    (await findStep(jobContext, step)) ?? (await propose(jobContext, pullContext, { ...argued, step: step.name }));
  if ("kind" in made) return made;
  const proposed = await rememberStep(jobContext, step, async () => made);
  await addCostOnce(jobContext, pullContext, step.name, proposed.costMicroUsd);
  throwIfLeaseLost(jobContext);
  if (proposed.failure !== undefined) {
    return await leaveUnanswered(jobContext, pullContext, unweighed(pullContext, task, argued, proposed.failure));
  }
  // The finding may be fixed or a reply answered by now: decides by what is known once nothing is on its way.
  const waiting = await waitForLane(pullContext, { key: job.key, lane: threadLane(task.thread) });
  if (waiting !== undefined) return jobOutcomeAfter(waiting);
  const known = (await jobContext.dependencies.store.findPull(pullContext.key))?.records ?? records;
  if (isSettled(task, known)) return finished;
  const latest = known.findings.find(({ id }) => id === task.finding) ?? finding;
  return jobOutcomeAfter(
    await say(jobContext, pullContext, { key: job.key, task, argued: { finding: latest, replies }, proposed }),
  );
}

function isSettled({ replies }: Task, { disputes, questions }: Records): boolean {
  const settled = new Set([
    ...disputes.map(({ reply, revision }) => `${reply} ${revision}`),
    ...questions.filter(({ status }) => status === "ANSWERED").map(({ comment, revision }) => `${comment} ${revision}`),
  ]);
  return replies.some(({ comment, revision }) => settled.has(`${comment} ${revision}`));
}

function unweighed(
  { seen }: PullContext,
  task: Task,
  { replies }: Arguing,
  failure: NonNullable<Proposed["failure"]>,
): UnansweredRemarks {
  const [first, ...others] = task.replies;
  if (first === undefined) throw new Error("a dispute has a reply");
  return {
    ...failure,
    wordings: [first, ...others],
    thread: task.thread,
    askedBy: askersOf(replies),
    lane: threadLane(task.thread),
    words: (trouble) => failedDisputeWords(trouble, seen.rules.handle),
  };
}

function askersOf(replies: readonly Remark[]): string {
  return replies.map(({ comment }) => comment.author.login).join(", ");
}

interface Arguing {
  readonly finding: Finding;
  readonly replies: readonly Remark[];
}

async function propose(
  jobContext: JobContext,
  pullContext: PullContext,
  argued: Arguing & { readonly step: string },
): Promise<Proposed | RetryLater> {
  const { model } = jobContext.dependencies;
  const { humans } = pullContext.seen.rules;
  const isWaived = settle(pullContext, argued, "maintain").some(({ outcome }) => outcome === "waived");
  // A waiver by name needs no argument, and costs nothing.
  if (isWaived || argued.finding.state.kind === "resolved") return unasked("maintain");
  if (model === null) return { ...unasked(humans.length === 0 ? "maintain" : "escalate"), reason: unweighedWords };
  const thread = argued.replies[0]?.thread ?? null;
  const { role, path } = argued.finding;
  const compare = lazyComparison(pullContext);
  const asked = await askModel(jobContext, pullContext, {
    model,
    step: argued.step,
    purpose: "dispute",
    task: disputeInstructions,
    about: aboutData(pullContext),
    said: [
      ...elsewhereData(pullContext, thread),
      ...findingData(argued.finding),
      ...(await codeData(compare, thread)),
      ...saidData(pullContext, thread),
    ],
    view: () => talkView(jobContext, pullContext, { compare, role, path }),
    schema: Opinion,
  });
  const { costMicroUsd } = asked;
  if (asked.kind === "read") return { ...unlessOrdered(asked.value, asked.suspects), costMicroUsd };
  if (asked.kind === "refused") {
    return { proposal: "escalate", reason: budgetRefusalWords(asked.refusal, noAnswerWords.argueAgain), costMicroUsd };
  }
  if (asked.kind === "unreadable") return { proposal: "escalate", reason: unreadableWords, costMicroUsd };
  const { why, retryAt } = asked;
  const again = await retryStep(jobContext, pullContext, { ...asked, step: argued.step }, patienceMsMax);
  return again ?? { ...unasked("escalate"), costMicroUsd, failure: { why, retryAt } };
}

/** A model that may have been ordered to concede is not convinced: a person decides. */
function unlessOrdered(opinion: Omit<Proposed, "costMicroUsd">, suspects: readonly string[]): typeof opinion {
  if (opinion.proposal !== "concede" || suspects.length === 0) return opinion;
  return { proposal: "escalate", reason: orderedWords(suspects) };
}

const Opinion = z.object({ proposal: Proposed.shape.proposal, reason: z.string() });

function unasked(proposal: Proposed["proposal"]): Proposed {
  return { proposal, reason: null, costMicroUsd: 0 };
}

function settle(
  context: PullContext,
  { finding, replies }: Arguing,
  proposal: Argued["proposal"],
): readonly DisputeOutcome[] {
  const { seen } = context;
  const people = peopleOf(seen);
  const heads = deriveHeads(seen);
  let { state } = finding;
  return replies.map(({ comment }) => {
    const { id, author, body } = comment;
    const waiver = readWaiver(body, seen.rules.handle);
    const reply = {
      comment: id,
      by: author,
      permission: people.permissionOf(author.id),
      asksWaiver: waiver !== null,
      waiverReason: waiver?.reason ?? null,
    };
    const head = headAt(heads.history, writtenAt(comment))?.sha ?? finding.head;
    const outcome = disputeOutcome({ finding: { ...finding, state }, reply, proposal, head });
    state = outcome.state;
    return outcome;
  });
}

interface Settling {
  readonly key: string;
  readonly task: Task;
  readonly argued: Arguing;
  readonly proposed: Proposed;
}

async function say(
  jobContext: JobContext,
  pullContext: PullContext,
  { key, task, argued, proposed }: Settling,
): Promise<EffectOutcome> {
  const { finding, replies } = argued;
  const { rules } = pullContext.seen;
  const outcomes = settle(pullContext, argued, proposed.proposal);
  const decisive = decisiveOf(outcomes);
  const state = outcomes.at(-1)?.state ?? finding.state;
  const disputes = replies.map(({ comment }, index): DisputeRecord => {
    const outcome = outcomes[index]?.outcome ?? "moot";
    return { reply: comment.id, revision: digestOf(comment.body), finding: finding.id, outcome };
  });
  const note = { kind: "disputed" as const, disputes, finding: finding.id, state };
  const records = (await jobContext.dependencies.store.findPull(pullContext.key))?.records ?? pullContext.seen.records;
  const earlier = earlierReply(records, task);
  const known = earlier?.comment ?? toldBefore(records, finding);
  const isUnasked =
    jobContext.dependencies.model === null && decisive !== "waived_by_writer" && !decisive.startsWith("waiver_");
  // A corrected typo in a reply, or a further remark where no model judges any, needs no second answer.
  const isOld = decisive === "already_resolved" && earlier !== null;
  const isTold = known !== null && earlier?.comesBack !== true && (isUnasked || isOld);
  if (isTold) {
    await changeRecords(pullContext, (stored) => applyRecordUpdate(stored, note, known));
    return { kind: "done", result: known };
  }
  const words = disputeWords({ why: decisive, finding: { ...finding, state }, reason: proposed.reason }, rules.handle);
  const people = state.kind === "escalated" ? mentionsOf(pullContext, rules.humans) : "";
  return await ensureSaid(
    pullContext,
    {
      key,
      kind: "dispute_reply",
      lane: threadLane(task.thread),
      head: finding.head,
      why: {
        askedBy: askersOf(replies),
        rule: `a dispute is settled: ${decisive}`,
        inputs: [finding.id, ...disputes.map(({ reply }) => reply)],
      },
      note,
      thread: task.thread,
      words: `${people}${words}`,
      blocks: [
        ...disputes.map((data) => ({ type: "dispute-resolution" as const, data })),
        { type: "review-finding", data: { ...finding, state } },
      ],
    },
    earlier,
  );
}

function earlierReply({ questions, disputes }: Records, { replies }: Task): Earlier | null {
  const failed = questions.find(
    ({ comment, status, answer }) =>
      status === "FAILED" && answer !== null && replies.some((reply) => reply.comment === comment),
  );
  if (failed !== undefined && failed.answer !== null) return { comment: failed.answer, comesBack: true };
  const answers = replies.map(({ comment }) => disputes.findLast(({ reply }) => reply === comment)?.answer ?? null);
  const last = answers.at(-1) ?? null;
  return last === null || answers.includes(null) ? null : { comment: last, comesBack: false };
}

function toldBefore({ disputes }: Records, { id }: Finding): CommentId | null {
  return disputes.findLast(({ finding, answer }) => finding === id && (answer ?? null) !== null)?.answer ?? null;
}

/** Replies after a finding is settled change nothing. */
function decisiveOf(outcomes: readonly DisputeOutcome[]): DisputeOutcome["why"] {
  return (outcomes.findLast(({ outcome }) => outcome !== "moot") ?? outcomes.at(-1))?.why ?? "already_resolved";
}
