import type { Turn } from "#act/turn.ts";
import { derive } from "#core/derive/derive.ts";
import type { SessionJobData } from "#core/model/job.ts";
import type { Records, SessionRecord } from "#core/model/records.ts";
import { againLater, endJob, finished, isPassing, stopIfLost } from "#jobs/end-job.ts";
import { endSession, findRunningSession } from "#jobs/end-session.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { countCost, withTurn } from "#jobs/job-turn.ts";
import { createPlaceRemark } from "#jobs/place-remark.ts";
import { pushSession } from "#jobs/push-session.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { reportSession, tellRefused } from "#jobs/report-session.ts";
import { sessionFeedback } from "#jobs/session-feedback.ts";
import { SessionWork, type Working, workSession } from "#jobs/work-session.ts";
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
    return await endSession(place, turn, { session, state: { kind: "failed", why: `Git failed: ${error.message}` } });
  }
}

const headTriesMax = 5;

async function waitForHead(place: JobPlace, turn: Turn, session: SessionRecord): Promise<JobEnd> {
  if (place.attempt < headTriesMax) return { kind: "again", at: againLater(place) };
  const why = "Git does not have the head of this pull.";
  return await endSession(place, turn, { session, state: { kind: "failed", why } });
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
  if (isKept(turn.seen)) return { costMicroUsd: 0, given: session.feedback, refused: [], result: { kind: "stopped" } };
  const hindrance = await findHindrance(working);
  const { agent } = place.parts;
  if (hindrance !== null || agent === null) {
    const why = hindrance ?? "No coding agent is configured.";
    return { costMicroUsd: 0, given: session.feedback, refused: [], result: { kind: "failed", why } };
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
async function findHindrance({ place, turn, session, mirror }: Working): Promise<string | null> {
  const { pull } = turn.seen;
  if (pull.state !== "open") return "The pull is not open any more.";
  if (pull.head.isFork) return "The head is in a fork, where Drover cannot push.";
  if (session.purpose === "conflict") return "Conflicts cannot be resolved by a session yet.";
  const remote = await place.parts.forge.fetchRemote(turn.ref.repository, "read");
  const [branch] = await mirror.fetchRefs({ remote, refs: [`refs/heads/${pull.head.branch}`], signal: place.signal });
  return branch?.commit === session.head ? null : "The head moved before the session began.";
}

async function finishWork(working: Working, work: SessionWork): Promise<JobEnd> {
  const { place, turn, session, asked } = working;
  const { result, given } = work;
  const end = async (state: SessionRecord["state"], feedback: readonly string[]): Promise<JobEnd> =>
    await endSession(place, turn, { session, state, feedback });
  if (result.kind !== "changed") {
    const told = await tellRefused(turn, { session, asked, refused: work.refused });
    return told.kind === "later" ? { kind: "again", at: told.at } : await end(result, given);
  }
  if (isRepeated(turn.seen.records, session, result)) {
    return await end({ kind: "stalled", why: "The session made the same change as one before." }, given);
  }
  const { pull } = turn.seen;
  if (pull.state !== "open" && pull.head.sha !== result.commit) {
    return await end({ kind: "failed", why: "The pull was closed while the session was at work." }, given);
  }
  const wanted = await lookBeforePush(working);
  if (wanted !== "push") return wanted === "stop" ? await end({ kind: "stopped" }, given) : wanted;
  const pushed = await pushSession(working, result);
  if (pushed.kind === "again") return pushed;
  if (pushed.kind === "failed") return await end(pushed, given);
  const told = await reportSession(turn, { session, asked, result, refused: work.refused });
  if (told.kind === "later") return { kind: "again", at: told.at };
  // Last of all, so that a crash before it repeats the above, which does no harm. What the agent was not given, or did
  // not address, is open again by not being here.
  const left = new Set(result.notAddressed.map(({ id }) => id));
  const handled = given.filter((id) => !left.has(id));
  return await end({ kind: "pushed", head: result.commit, diff: result.diff }, handled);
}

/**
 * Somebody may have stopped it, held the pull or approved it while the agent was at work. Where the head is another one
 * the push itself finds out whether it was this session's own.
 */
async function lookBeforePush({ place, turn, data, session }: Working): Promise<"push" | "stop" | JobEnd> {
  const look = await place.observer.look(turn.ref);
  stopIfLost(place);
  if (look.kind === "stale") return { kind: "again", at: look.retryAt };
  const { seen } = look.observed;
  if (findRunningSession(seen.records, data) === undefined) return finished;
  return seen.pull.head.sha === session.head && isKept(seen) ? "stop" : "push";
}

function isRepeated(records: Records, session: SessionRecord, { diff }: { readonly diff: string }): boolean {
  return records.sessions.some(({ id, state }) => id !== session.id && state.kind === "pushed" && state.diff === diff);
}
