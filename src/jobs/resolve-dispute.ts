import { z } from "zod";
import { ensureComment } from "#act/comment.ts";
import { calls } from "#act/ensure-escalated.ts";
import { laneWait, threadLane } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import { headAt } from "#core/commands/head-at.ts";
import { deriveHeads } from "#core/derive/heads.ts";
import { peopleOf } from "#core/derive/people.ts";
import type { Remark } from "#core/derive/remarks.ts";
import { writtenAt } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import type { TalkJobData } from "#core/model/job.ts";
import type { DisputeRecord, Records } from "#core/model/records.ts";
import { type Argued, type DisputeOutcome, disputeOutcome } from "#core/review/dispute-outcome.ts";
import { asksWaiver } from "#core/review/read-waiver.ts";
import { refusalWords } from "#core/words/budget-words.ts";
import { disputeWords, orderedWords } from "#core/words/talk-words.ts";
import { askModel } from "#jobs/ask-model.ts";
import { talkView } from "#jobs/change-view.ts";
import { aboutData, codeData, findingData, findWording, saidData } from "#jobs/conversation-data.ts";
import { finished, stopIfLost } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { type Again, countCost, endAfter, tryAgain } from "#jobs/job-turn.ts";
import { compareOnce } from "#jobs/optional-git.ts";
import { disputeTask } from "#jobs/prompts.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";

type Task = Extract<TalkJobData["task"], { readonly kind: "resolve_dispute" }>;

const Proposed = z.strictObject({
  proposal: z.enum(["concede", "maintain", "escalate"]),
  /** Null where no model was asked, and there is nothing to say about that. */
  reason: z.string().nullable(),
  costMicroUsd: z.number().int().nonnegative(),
});
type Proposed = z.infer<typeof Proposed>;
/** Of these wordings: the same job weighs the next reply too, and may meet what a worker that stood still has left. */
function stepOf({ replies }: Task) {
  const wordings = replies.map(({ comment, revision }) => `${comment} ${revision}`);
  return { name: `proposal/${digestOf(JSON.stringify(wordings))}`, schema: Proposed };
}

/** Settles what was said against a finding. A model weighs the argument, if there is one; the rules decide. */
export async function resolveDispute(
  place: JobPlace,
  turn: Turn,
  job: { readonly key: string; readonly task: Task },
): Promise<JobEnd> {
  const { task } = job;
  const { records } = turn.seen;
  const finding = records.findings.find(({ id }) => id === task.finding);
  const replies = task.replies.map((reply) => findWording(turn, reply)).filter((remark) => remark !== undefined);
  // A reply that was edited, deleted or settled makes another dispute: the next tick plans it.
  if (finding === undefined || replies.length < task.replies.length || isSettled(task, records)) return finished;
  const argued = { finding, replies };
  const step = stepOf(task);
  const made = (await findStep(place, step)) ?? (await propose(place, turn, { ...argued, step: step.name }));
  if ("kind" in made) return made;
  const proposed = await rememberStep(place, step, async () => made);
  await countCost(place, turn, step.name, proposed.costMicroUsd);
  stopIfLost(place);
  // While the model was asked, the finding may have been fixed, and a reply answered in another way. What is known by now
  // decides, once nothing is on its way any more.
  const waiting = await laneWait(turn, { key: job.key, lane: threadLane(task.thread) });
  if (waiting !== undefined) return endAfter(waiting);
  const known = (await place.parts.store.findPull(turn.key))?.records ?? records;
  if (isSettled(task, known)) return finished;
  const latest = known.findings.find(({ id }) => id === task.finding) ?? finding;
  return endAfter(await say(turn, { key: job.key, task, argued: { finding: latest, replies }, proposed }));
}

/** A reply has its answer, as an argument or as a question. */
function isSettled({ replies }: Task, { disputes, questions }: Records): boolean {
  const settled = new Set([
    ...disputes.map(({ reply, revision }) => `${reply} ${revision}`),
    ...questions.filter(({ status }) => status === "ANSWERED").map(({ comment, revision }) => `${comment} ${revision}`),
  ]);
  return replies.some(({ comment, revision }) => settled.has(`${comment} ${revision}`));
}

interface Arguing {
  readonly finding: Finding;
  /** Oldest first. */
  readonly replies: readonly Remark[];
}

async function propose(
  place: JobPlace,
  turn: Turn,
  argued: Arguing & { readonly step: string },
): Promise<Proposed | Again> {
  const { model } = place.parts;
  const isWaived = settle(turn, argued, "maintain").some(({ outcome }) => outcome === "waived");
  // Whoever answers for it with their name needs no argument, and costs nothing.
  if (isWaived || argued.finding.state.kind === "resolved") return unasked("maintain");
  if (model === null) return unasked("escalate");
  const thread = argued.replies[0]?.thread ?? null;
  const { role, path } = argued.finding;
  const compare = compareOnce(turn);
  const asked = await askModel(place, turn, {
    model,
    step: argued.step,
    purpose: "dispute",
    task: disputeTask,
    about: aboutData(turn),
    said: [...findingData(argued.finding), ...(await codeData(compare, thread)), ...saidData(turn, thread)],
    // As the role of the finding saw it.
    view: () => talkView(place, turn, { compare, role, path }),
    schema: Opinion,
  });
  const { costMicroUsd } = asked;
  if (asked.kind === "read") return { ...unlessOrdered(asked.value, asked.suspects), costMicroUsd };
  if (asked.kind === "refused") {
    return { proposal: "escalate", reason: refusalWords(asked.refusal, tryAgainWords), costMicroUsd };
  }
  const again = asked.kind === "failed" ? await tryAgain(place, turn, { ...asked, step: argued.step }) : null;
  return again ?? { ...unasked("escalate"), costMicroUsd };
}

/** A model that may have been told to give in has not been convinced: somebody else decides. */
function unlessOrdered(opinion: Omit<Proposed, "costMicroUsd">, suspects: readonly string[]): typeof opinion {
  if (opinion.proposal !== "concede" || suspects.length === 0) return opinion;
  return { proposal: "escalate", reason: orderedWords(suspects) };
}

const tryAgainWords = "reply once more to have the argument weighed";

const Opinion = z.object({ proposal: Proposed.shape.proposal, reason: z.string() });

function unasked(proposal: Proposed["proposal"]): Proposed {
  return { proposal, reason: null, costMicroUsd: 0 };
}

/** Each reply in turn, on the finding as the one before has left it. */
function settle(turn: Turn, { finding, replies }: Arguing, proposal: Argued["proposal"]): readonly DisputeOutcome[] {
  const { seen } = turn;
  const people = peopleOf(seen);
  const heads = deriveHeads(seen);
  let { state } = finding;
  return replies.map(({ comment }) => {
    const { id, author, body } = comment;
    const reply = {
      comment: id,
      by: author,
      permission: people.permissionOf(author.id),
      asksWaiver: asksWaiver(body, seen.rules.handle),
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

async function say(turn: Turn, { key, task, argued, proposed }: Settling): ReturnType<typeof ensureComment> {
  const { finding, replies } = argued;
  const { rules } = turn.seen;
  const outcomes = settle(turn, argued, proposed.proposal);
  const decisive = decisiveOf(outcomes);
  const state = outcomes.at(-1)?.state ?? finding.state;
  const disputes = replies.map(({ comment }, index): DisputeRecord => {
    const outcome = recordedAs(outcomes[index]?.outcome ?? "moot");
    return { reply: comment.id, revision: digestOf(comment.body), finding: finding.id, outcome };
  });
  const words = disputeWords({ why: decisive, finding: { ...finding, state }, reason: proposed.reason }, rules.handle);
  const people = state.kind === "escalated" ? calls(turn, rules.humans) : "";
  return await ensureComment(turn, {
    key,
    kind: "dispute_reply",
    lane: threadLane(task.thread),
    head: finding.head,
    why: {
      askedBy: replies.map(({ comment }) => comment.author.login).join(", "),
      rule: `a dispute is settled: ${decisive}`,
      inputs: [finding.id, ...disputes.map(({ reply }) => reply)],
    },
    note: { kind: "disputed", disputes, finding: finding.id, state },
    thread: task.thread,
    words: `${people}${words}`,
    blocks: [
      ...disputes.map((data) => ({ type: "dispute-resolution" as const, data })),
      { type: "review-finding", data: { ...finding, state } },
    ],
  });
}

/** The last word that changed something; what comes after a finding is settled adds nothing. */
function decisiveOf(outcomes: readonly DisputeOutcome[]): DisputeOutcome["why"] {
  return (outcomes.findLast(({ outcome }) => outcome !== "moot") ?? outcomes.at(-1))?.why ?? "already_resolved";
}

/** A waiver is kept with the finding itself; what was settled before is not argued about any more. */
function recordedAs(outcome: DisputeOutcome["outcome"]): DisputeRecord["outcome"] {
  switch (outcome) {
    case "waived":
    case "moot":
      return "conceded";
    default:
      return outcome;
  }
}
