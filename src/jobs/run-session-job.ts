import type { Outcome } from "#act/effect.ts";
import { ensureDropTold } from "#act/ensure-session.ts";
import { startTurn, type Turn } from "#act/turn.ts";
import { readAddress } from "#core/commands/read-address.ts";
import { derive } from "#core/derive/derive.ts";
import { remarksOf } from "#core/derive/remarks.ts";
import type { SessionJobData } from "#core/model/job.ts";
import type { Records, SessionRecord } from "#core/model/records.ts";
import { gitFailed, notMentioned, sessionEnds } from "#core/words/session-ends.ts";
import { droppedSession } from "#core/words/session-words.ts";
import { againLater, endJob, finished, isPassing, stopIfLost } from "#jobs/end-job.ts";
import { endSession, findRunningSession } from "#jobs/end-session.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { countCost, withTurn } from "#jobs/job-turn.ts";
import { createPlaceRemark } from "#jobs/place-remark.ts";
import { pushSession } from "#jobs/push-session.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { reportSession, tellNothingLeft, tellRefused } from "#jobs/report-session.ts";
import { type Asked, sessionFeedback } from "#jobs/session-feedback.ts";
import { hasAgentBegun, SessionWork, type Working, workSession } from "#jobs/work-session.ts";
import { openComparison } from "#observe/change.ts";
import { GitError } from "#ports/git.ts";

/** One coding session: the agent works on a copy, Drover checks, commits, pushes and tells. */
export async function runSessionJob(place: JobPlace, data: SessionJobData): Promise<JobEnd> {
  return await endJob(place, data.pull, () => withTurn(place, data.pull, (turn) => runSession(place, turn, data)));
}

async function runSession(place: JobPlace, turn: Turn, data: SessionJobData): Promise<JobEnd> {
  const session = findRunningSession(turn.seen.records, data);
  if (session === undefined) return finished;
  try {
    const compared = await openComparison(place.parts, data.pull, { headRef: turn.headRef, pull: turn.seen.pull });
    if (compared === undefined) return await waitForHead(place, turn, session);
    const { mirror } = compared;
    const placeRemark = createPlaceRemark({ mirror, head: session.head, signal: place.signal });
    const asked = await sessionFeedback(turn, session, placeRemark);
    const working = { place, turn, data, session, mirror, asked };
    const work = await rememberedWork(working);
    return "kind" in work ? work : await finishWork(working, work);
  } catch (error) {
    if (!(error instanceof GitError) || isPassing(error, place)) throw error;
    // The push may have happened: to call it failed would be untrue, and the next session would refuse what this one has done.
    if (place.attempt < pushTriesMax && (await hasChange(place))) return { kind: "again", at: againLater(place) };
    const why = gitFailed(error.message);
    const state = (await hasAgentBegun(place)) ? ({ kind: "failed", why } as const) : notBegun(why);
    return await endSession(place, turn, { session, state });
  }
}

function notBegun(why: string): Extract<SessionRecord["state"], { readonly kind: "unfinished" }> {
  return { kind: "unfinished", cause: "not_begun", why };
}

/** With the pauses between them, about a day. */
const pushTriesMax = 30;

async function hasChange(place: JobPlace): Promise<boolean> {
  return (await findStep(place, step))?.result.kind === "changed";
}

const headTriesMax = 5;

async function waitForHead(place: JobPlace, turn: Turn, session: SessionRecord): Promise<JobEnd> {
  if (place.attempt < headTriesMax) return { kind: "again", at: againLater(place) };
  return await endSession(place, turn, { session, state: notBegun(sessionEnds.noHead) });
}

const step = { name: "work", schema: SessionWork };

/** What the session made, now or before a crash. A commit that only a lost machine had is made again. */
async function rememberedWork(working: Working): Promise<SessionWork | JobEnd> {
  const { place, mirror, session, turn } = working;
  const known = await findStep(place, step);
  const commit = known?.result.kind === "changed" ? known.result.commit : null;
  const isLost = commit !== null && (await mirror.findTree(commit)) === undefined;
  if (known !== undefined && !isLost) return known;
  if (isLost) await place.parts.store.forgetSteps(place.key);
  const { agent } = place.parts;
  const nothing = { costMicroUsd: 0, given: session.feedback, meanings: {}, refused: [] };
  if (isKept(turn.seen)) return { ...nothing, result: { kind: "stopped" } };
  const hindrance = await findHindrance(working);
  if (hindrance !== null) return { ...nothing, result: hindrance };
  if (agent === null) return { ...nothing, result: notBegun(sessionEnds.noAgent) };
  if (agent.serves?.includes(session.purpose) === false) {
    return { ...nothing, result: notBegun(sessionEnds.unableAgent) };
  }
  const made = await workSession(working, agent);
  if ("kind" in made) return made;
  const work = await rememberStep(place, step, async () => made);
  await countCost(place, turn, step.name, work.costMicroUsd);
  return work;
}

/** Somebody holds the pull, looks at it, or approves it: the session neither begins nor pushes. */
function isKept(seen: Turn["seen"]): boolean {
  const { fixing } = derive(seen);
  return fixing.kind === "running" && fixing.mustStop;
}

/** What nobody needs to begin for. The branch is asked of git, which does not show the past. */
async function findHindrance(working: Working): Promise<SessionWork["result"] | null> {
  const { place, turn, session, mirror, asked } = working;
  const { pull } = turn.seen;
  if (pull.state !== "open") return { kind: "stopped" };
  if (pull.head.isFork) return notBegun(sessionEnds.fork);
  if (session.purpose === "conflict") return notBegun(sessionEnds.conflict);
  if (asked.length === 0 && isForRemarks(turn.seen, session)) return { kind: "stopped" };
  const remote = await place.parts.forge.fetchRemote(turn.ref.repository, "read");
  const [branch] = await mirror.fetchRefs({ remote, refs: [`refs/heads/${pull.head.branch}`], signal: place.signal });
  if (branch?.commit === session.head) return null;
  return { kind: "unfinished", cause: "head_moved", why: sessionEnds.headMovedBefore };
}

/** Whether it has nothing to work on but remarks and findings. */
function isForRemarks({ rules }: Turn["seen"], { purpose }: SessionRecord): boolean {
  return purpose === "feedback" || (purpose === "command" && !rules.fix.onRedChecks && !rules.fix.onConflict);
}

async function finishWork(working: Working, work: SessionWork): Promise<JobEnd> {
  const { place, turn, session, asked } = working;
  const { result, given, meanings } = work;
  const end = async (state: SessionRecord["state"]): Promise<JobEnd> =>
    await endSession(place, turn, { session, state, feedback: given, meanings });
  if (result.kind === "stopped") return await endStopped(working, turn, given);
  if (result.kind !== "changed") {
    const told = await tellRefused(turn, { session, asked, refused: work.refused });
    return told.kind === "later" ? { kind: "again", at: told.at } : await end(result);
  }
  if (isRepeated(turn.seen.records, session, result)) return await end({ kind: "stalled", why: sessionEnds.repeated });
  const wanted = await lookBeforePush(working, result);
  if (wanted.kind === "stop") return await endStopped(working, wanted.turn, given);
  if (wanted.kind !== "push") return wanted;
  const pushed = await pushSession(working, result);
  if (pushed.kind === "again") return pushed;
  if (pushed.kind !== "pushed") return await end(pushed);
  const left = leftOf(asked, result);
  const told = await reportSession(turn, { session, asked, result, left, refused: work.refused });
  if (told.kind === "later") return { kind: "again", at: told.at };
  // Last of all, so that a crash before it repeats the above, which does no harm.
  const handled = given.filter((id) => result.addressed.includes(id) || isCommand(turn.seen, id));
  const state = { kind: "pushed", head: result.commit, diff: result.diff } as const;
  return await endSession(place, turn, { session, state, feedback: handled, meanings, left });
}

/** What people asked for and the agent did not say it had done. It stays open, and counts as tried. */
function leftOf(asked: readonly Asked[], result: Changed): readonly { readonly id: string; readonly why: string }[] {
  const addressed = new Set(result.addressed);
  const whys = new Map(result.notAddressed.map(({ id, why }) => [id, why]));
  return asked
    .filter(({ by, item }) => by !== null && !addressed.has(item.id))
    .map(({ item }) => ({ id: item.id, why: (whys.get(item.id) ?? notMentioned).slice(0, whyCharactersMax) }));
}

type Changed = Extract<SessionWork["result"], { readonly kind: "changed" }>;

/** Of a reason that is kept with the session. */
const whyCharactersMax = 300;

/** The `fix` that the session was started by is obeyed with its push. */
function isCommand(seen: Turn["seen"], id: string): boolean {
  if (seen.records.commands.some(({ comment }) => comment === id)) return true;
  return remarksOf(seen).some(
    ({ comment }) => comment.id === id && readAddress(comment.body, seen.rules.handle).command !== null,
  );
}

/** Nothing is pushed, and whoever would wait for it in vain is told. */
async function endStopped(working: Working, turn: Turn, given: readonly string[]): Promise<JobEnd> {
  const { place, session } = working;
  const told = await tellStopped(working, turn);
  if (told.kind === "later") return { kind: "again", at: told.at };
  return await endSession(place, turn, { session, state: { kind: "stopped" }, feedback: given });
}

async function tellStopped({ session, asked }: Working, turn: Turn): Promise<Outcome> {
  const { seen } = turn;
  if (seen.pull.state !== "open") {
    return await ensureDropTold(turn, { session: session.id, text: droppedSession(seen, session) });
  }
  if (asked.length > 0 || session.purpose !== "command") return { kind: "done", result: null };
  return await tellNothingLeft(turn, session);
}

/**
 * Somebody may have stopped it, held the pull or approved it while the agent was at work, or the pull has ended. Where the
 * head is another one the push itself finds out whether it was this session's own.
 */
async function lookBeforePush(
  { place, turn, data, session }: Working,
  { commit }: Changed,
): Promise<{ readonly kind: "push" } | { readonly kind: "stop"; readonly turn: Turn } | JobEnd> {
  const look = await place.observer.look(turn.ref);
  stopIfLost(place);
  if (look.kind === "stale") return { kind: "again", at: look.retryAt };
  const { seen } = look.observed;
  if (findRunningSession(seen.records, data) === undefined) return finished;
  const isEnded = seen.pull.state !== "open" && seen.pull.head.sha !== commit;
  if (!isEnded && !(seen.pull.head.sha === session.head && isKept(seen))) return { kind: "push" };
  const { leaseUntil, lookAgain } = turn;
  return { kind: "stop", turn: startTurn(place.parts, look.observed, { leaseUntil, lookAgain }) };
}

function isRepeated(records: Records, session: SessionRecord, { diff }: { readonly diff: string }): boolean {
  return records.sessions.some(({ id, state }) => id !== session.id && state.kind === "pushed" && state.diff === diff);
}
