import type { EffectOutcome } from "#act/effect.ts";
import { ensureDropTold } from "#act/ensure-session.ts";
import { changeRecords, createPullContext, type PullContext } from "#act/pull-context.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { derive } from "#core/derive/derive.ts";
import { remarksOf } from "#core/derive/remarks.ts";
import type { SessionId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import type { SessionJobData } from "#core/model/job.ts";
import type { Records, SessionRecord } from "#core/model/records.ts";
import { gitFailed, notMentioned, sessionEndWords } from "#core/words/session-ends.ts";
import { droppedSession } from "#core/words/session-words.ts";
import { finished, type JobContext, type JobOutcome, throwIfLeaseLost } from "#jobs/job-context.ts";
import { addCostOnce, isTransient, nextAttemptAt, type RetryLater } from "#jobs/job-retries.ts";
import { createPlaceRemark } from "#jobs/place-remark.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { reportSession, tellNothingLeft, tellRefused } from "#jobs/report-session.ts";
import { runJob, withObservation } from "#jobs/run-job.ts";
import { type RequestedChange, sessionFeedback } from "#jobs/session-feedback.ts";
import { hasAgentBegun, type SessionContext, SessionWork, workSession } from "#jobs/work-session.ts";
import { openComparison } from "#observe/change-facts.ts";
import { GitError, type PushOutcome } from "#ports/git.ts";

/** The agent works on a copy. Only Drover checks, commits and pushes. */
export async function runSessionJob(jobContext: JobContext, data: SessionJobData): Promise<JobOutcome> {
  return await runJob(jobContext, data.pull, () =>
    withObservation(jobContext, data.pull, (pullContext) => runSession(jobContext, pullContext, data)),
  );
}

async function runSession(jobContext: JobContext, pullContext: PullContext, data: SessionJobData): Promise<JobOutcome> {
  const session = findRunningSession(pullContext.seen.records, data);
  if (session === undefined) return finished;
  try {
    const compared = await openComparison(jobContext.dependencies, data.pull, {
      headRef: pullContext.headRef,
      pull: pullContext.seen.pull,
    });
    if (compared === undefined) {
      if (jobContext.attempt < headTriesMax) return { kind: "again", at: nextAttemptAt(jobContext) };
      return await endSession(jobContext, pullContext, { session, state: notBegun(sessionEndWords.noHead) });
    }
    const { mirror } = compared;
    const placeRemark = createPlaceRemark({ mirror, head: session.head, signal: jobContext.signal });
    const asked = await sessionFeedback(pullContext, session, placeRemark);
    const working = { jobContext, pullContext, data, session, mirror, asked };
    const work = await rememberedWork(working);
    return "kind" in work ? work : await finishWork(working, work);
  } catch (error) {
    if (!(error instanceof GitError) || isTransient(error, jobContext)) throw error;
    // The push may have happened: if it counted as failed, the next session would refuse its changes.
    if (jobContext.attempt < pushTriesMax && (await hasChange(jobContext)))
      return { kind: "again", at: nextAttemptAt(jobContext) };
    const why = gitFailed(error.message);
    const state = (await hasAgentBegun(jobContext)) ? ({ kind: "failed", why } as const) : notBegun(why);
    return await endSession(jobContext, pullContext, { session, state });
  }
}

function notBegun(why: string): Extract<SessionRecord["state"], { readonly kind: "unfinished" }> {
  return { kind: "unfinished", cause: "not_begun", why };
}

/** With the pauses between them, about a day. */
const pushTriesMax = 30;

async function hasChange(context: JobContext): Promise<boolean> {
  return (await findStep(context, step))?.result.kind === "changed";
}

const headTriesMax = 5;

const step = { name: "work", schema: SessionWork };

/** After a crash the stored work is used. A commit that only a lost machine had is made again. */
async function rememberedWork(sessionContext: SessionContext): Promise<SessionWork | JobOutcome> {
  const { jobContext, mirror, session, pullContext } = sessionContext;
  const known = await findStep(jobContext, step);
  const commit = known?.result.kind === "changed" ? known.result.commit : null;
  const isLost = commit !== null && (await mirror.findTree(commit)) === undefined;
  if (known !== undefined && !isLost) return known;
  if (isLost) await jobContext.dependencies.store.forgetSteps(jobContext.key);
  const { agent } = jobContext.dependencies;
  const nothing = { costMicroUsd: 0, given: session.feedback, meanings: {}, refused: [] };
  if (isKept(pullContext.seen)) return { ...nothing, result: { kind: "stopped" } };
  const hindrance = await findHindrance(sessionContext);
  if (hindrance !== null) return { ...nothing, result: hindrance };
  if (agent === null) return { ...nothing, result: notBegun(sessionEndWords.noAgent) };
  if (agent.serves?.includes(session.purpose) === false) {
    return { ...nothing, result: notBegun(sessionEndWords.unableAgent) };
  }
  const made = await workSession(sessionContext, agent);
  if ("kind" in made) return made;
  const work = await rememberStep(jobContext, step, async () => made);
  await addCostOnce(jobContext, pullContext, step.name, work.costMicroUsd);
  return work;
}

/** A person holds, reviews or has approved the pull: the session neither begins nor pushes. */
function isKept(seen: PullContext["seen"]): boolean {
  const { fixing } = derive(seen);
  return fixing.kind === "running" && fixing.mustStop;
}

/** The branch is read from git, which is never stale. */
async function findHindrance(sessionContext: SessionContext): Promise<SessionWork["result"] | null> {
  const { jobContext, pullContext, session, mirror, asked } = sessionContext;
  const { pull } = pullContext.seen;
  if (pull.state !== "open") return { kind: "stopped" };
  if (pull.head.isFork) return notBegun(sessionEndWords.fork);
  if (session.purpose === "conflict") return notBegun(sessionEndWords.conflict);
  if (asked.length === 0 && isForRemarks(pullContext.seen, session)) return { kind: "stopped" };
  const remote = await jobContext.dependencies.forge.fetchRemote(pullContext.ref.repository, "read");
  const [branch] = await mirror.fetchRefs({
    remote,
    refs: [`refs/heads/${pull.head.branch}`],
    signal: jobContext.signal,
  });
  if (branch?.commit === session.head) return null;
  return { kind: "unfinished", cause: "head_moved", why: sessionEndWords.headMovedBefore };
}

function isForRemarks({ rules }: PullContext["seen"], { purpose }: SessionRecord): boolean {
  return purpose === "feedback" || (purpose === "command" && !rules.fix.onRedChecks && !rules.fix.onConflict);
}

async function finishWork(sessionContext: SessionContext, work: SessionWork): Promise<JobOutcome> {
  const { jobContext, pullContext, session, asked } = sessionContext;
  const { result, given, meanings } = work;
  const end = async (state: SessionRecord["state"]): Promise<JobOutcome> =>
    await endSession(jobContext, pullContext, { session, state, feedback: given, meanings });
  if (result.kind === "stopped") return await endStopped(sessionContext, pullContext, given);
  if (result.kind !== "changed") {
    const told = await tellRefused(pullContext, { session, asked, refused: work.refused });
    return told.kind === "later" ? { kind: "again", at: told.at } : await end(result);
  }
  if (isRepeated(pullContext.seen.records, session, result))
    return await end({ kind: "stalled", why: sessionEndWords.repeated });
  const wanted = await lookBeforePush(sessionContext, result);
  if (wanted.kind === "stop") return await endStopped(sessionContext, wanted.context, given);
  if (wanted.kind !== "push" && wanted.kind !== "pushed") return wanted;
  const pushed = wanted.kind === "pushed" ? wanted : await pushSession(sessionContext, result);
  if (pushed.kind === "again") return pushed;
  if (pushed.kind !== "pushed") return await end(pushed);
  const left = leftOf(asked, result);
  const told = await reportSession(pullContext, { session, asked, result, left, refused: work.refused });
  if (told.kind === "later") return { kind: "again", at: told.at };
  // Last, so that a crash before it only repeats the above, which does no harm.
  const handled = given.filter((id) => result.addressed.includes(id) || isCommand(pullContext.seen, id));
  const state = { kind: "pushed", head: result.commit, diff: result.diff } as const;
  return await endSession(jobContext, pullContext, { session, state, feedback: handled, meanings, left });
}

function leftOf(
  asked: readonly RequestedChange[],
  result: Changed,
): readonly { readonly id: string; readonly why: string }[] {
  const addressed = new Set(result.addressed);
  const whys = new Map(result.notAddressed.map(({ id, why }) => [id, why]));
  return asked
    .filter(({ by, item }) => by !== null && !addressed.has(item.id))
    .map(({ item }) => ({ id: item.id, why: (whys.get(item.id) ?? notMentioned).slice(0, whyCharactersMax) }));
}

type Changed = Extract<SessionWork["result"], { readonly kind: "changed" }>;

const whyCharactersMax = 300;

/** Its `fix` is done with the push. */
function isCommand(seen: PullContext["seen"], id: string): boolean {
  if (seen.records.commands.some(({ comment }) => comment === id)) return true;
  return remarksOf(seen).some(
    ({ comment }) => comment.id === id && readBotMessage(comment.body, seen.rules.handle).command !== null,
  );
}

async function endStopped(
  sessionContext: SessionContext,
  pullContext: PullContext,
  given: readonly string[],
): Promise<JobOutcome> {
  const { jobContext, session } = sessionContext;
  const told = await tellStopped(sessionContext, pullContext);
  if (told.kind === "later") return { kind: "again", at: told.at };
  return await endSession(jobContext, pullContext, { session, state: { kind: "stopped" }, feedback: given });
}

async function tellStopped({ session, asked }: SessionContext, context: PullContext): Promise<EffectOutcome> {
  const { seen } = context;
  if (seen.pull.state !== "open") {
    return await ensureDropTold(context, { session: session.id, text: droppedSession(seen, session) });
  }
  if (asked.length > 0 || session.purpose !== "command") return { kind: "done", result: null };
  return await tellNothingLeft(context, session);
}

/** People may have stopped, held or approved while the agent worked. The push itself compares the head. */
async function lookBeforePush(
  sessionContext: SessionContext,
  { commit }: Changed,
): Promise<
  | { readonly kind: "push" }
  | { readonly kind: "pushed" }
  | { readonly kind: "stop"; readonly context: PullContext }
  | JobOutcome
> {
  const { jobContext, pullContext, data, session } = sessionContext;
  const look = await jobContext.observer.observe(pullContext.ref);
  throwIfLeaseLost(jobContext);
  if (look.kind === "stale") return { kind: "again", at: look.retryAt };
  const { seen } = look.observed;
  if (findRunningSession(seen.records, data) === undefined) return finished;
  const { state, head } = seen.pull;
  const isMoved = head.sha !== session.head;
  if (state === "open" && (isMoved || !isKept(seen))) return { kind: "push" };
  // A worker before this one may have pushed, and crashed before it reported that.
  if (isMoved && (head.sha === commit || (await isOnBranch(sessionContext, commit)))) return { kind: "pushed" };
  const { leaseUntil, scheduleCheck } = pullContext;
  return {
    kind: "stop",
    context: createPullContext(jobContext.dependencies, look.observed, { leaseUntil, scheduleCheck }),
  };
}

async function isOnBranch(
  { jobContext, pullContext, mirror }: SessionContext,
  commit: Changed["commit"],
): Promise<boolean> {
  const { ref, seen } = pullContext;
  const remote = await jobContext.dependencies.forge.fetchRemote(ref.repository, "read");
  const refs = [`refs/heads/${seen.pull.head.branch}`];
  const [branch] = await mirror.fetchRefs({ remote, refs, signal: jobContext.signal });
  const newer = branch?.commit ?? null;
  return newer !== null && (await mirror.ancestry({ older: commit, newer })) === "ancestor";
}

function isRepeated(records: Records, session: SessionRecord, { diff }: { readonly diff: string }): boolean {
  return records.sessions.some(({ id, state }) => id !== session.id && state.kind === "pushed" && state.diff === diff);
}

function findRunningSession(records: Records, { session }: { readonly session: SessionId }): SessionRecord | undefined {
  return records.sessions.find(({ id, state }) => id === session && state.kind === "running");
}

interface Ending {
  readonly session: SessionRecord;
  readonly state: SessionRecord["state"];
  /** What the session has to answer for; else all that it was given. */
  readonly feedback?: readonly string[];
  readonly meanings?: SessionRecord["meanings"];
  readonly left?: SessionRecord["left"];
}

async function endSession(jobContext: JobContext, pullContext: PullContext, ending: Ending): Promise<JobOutcome> {
  throwIfLeaseLost(jobContext);
  const { session, state, feedback = session.feedback, meanings, left } = ending;
  const endedAt = after(
    pullContext.seen.observedAt,
    Math.max(0, jobContext.dependencies.clock.now() - pullContext.askedAt),
  );
  await changeRecords(pullContext, (records) => {
    const known = findRunningSession(records, { session: session.id });
    if (known === undefined) return records;
    const told = { ...(meanings === undefined ? {} : { meanings }), ...(left === undefined ? {} : { left }) };
    const ended: SessionRecord = { ...known, ...told, state, feedback, endedAt };
    return { ...records, sessions: records.sessions.map((one) => (one === known ? ended : one)) };
  });
  const { id, purpose, head } = session;
  const facts = { pull: pullContext.key, session: id, purpose, head, end: state.kind };
  const { log } = jobContext.dependencies;
  if ("why" in state) log.warn({ ...facts, why: state.why }, "a session ended without a result");
  else log.info(facts, "a session has ended");
  return finished;
}

type Pushed =
  | { readonly kind: "pushed" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "unfinished"; readonly cause: "head_moved"; readonly why: string }
  | RetryLater;

/** Pushes only onto the head that the session started from. If the commit is there already, this says so. */
async function pushSession(
  { jobContext, pullContext, session, mirror }: SessionContext,
  { commit }: Changed,
): Promise<Pushed> {
  const { clock, forge, durations } = jobContext.dependencies;
  const remote = await forge.fetchRemote(pullContext.ref.repository, "push");
  const now = clock.now();
  // A slow push must end before another worker takes over.
  if (after(now, durations.marginMs) > jobContext.leaseUntil()) return { kind: "again", at: now };
  const ref = `refs/heads/${pullContext.seen.pull.head.branch}`;
  const { signal } = jobContext;
  const outcome = await mirror.push({ remote, ref, commit, expected: session.head, manner: "fast_forward", signal });
  switch (outcome.kind) {
    case "pushed":
      return outcome;
    case "moved":
      await mirror.fetchRefs({ remote, refs: [ref], signal });
      return outcome.to !== null && (await mirror.ancestry({ older: commit, newer: outcome.to })) === "ancestor"
        ? { kind: "pushed" }
        : { kind: "unfinished", cause: "head_moved", why: sessionEndWords.headMovedMeanwhile };
    case "refused":
      return { kind: "failed", why: refusals[outcome.why] };
    default:
      return { kind: "again", at: after(clock.now(), durations.settleMs) };
  }
}

const refusals = {
  not_fast_forward: sessionEndWords.notFastForward,
  unknown_history: sessionEndWords.unknownHistory,
  remote_rejected: sessionEndWords.pushRejected,
} as const satisfies Record<Extract<PushOutcome, { readonly kind: "refused" }>["why"], string>;
