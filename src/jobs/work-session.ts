import { z } from "zod";
import type { PullContext } from "#act/pull-context.ts";
import { meaningOf } from "#core/derive/meaning.ts";
import type { Data } from "#core/model/data.ts";
import { digestOf } from "#core/model/digest.ts";
import { HeadSha, type SessionId, Untrusted } from "#core/model/ids.ts";
import { formatDuration } from "#core/model/instant.ts";
import type { SessionJobData } from "#core/model/job.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import {
  overTime,
  refusedChange,
  repositoryTooLarge,
  sessionEndWords,
  withoutChange,
} from "#core/words/session-ends.ts";
import { commitMessage } from "#core/words/session-report.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { type RetryLater, retryStep } from "#jobs/job-retries.ts";
import { callPaid } from "#jobs/paid-call.ts";
import { paySession } from "#jobs/pay-session.ts";
import { conversationData as promptData, sessionPrompt } from "#jobs/prompts.ts";
import type { RequestedChange } from "#jobs/session-feedback.ts";
import type { Agent, PromptPart, SessionOutcome } from "#ports/agent.ts";
import type { ImportLimits, ImportOutcome, Mirror, WorktreeAdded } from "#ports/git.ts";

/** Stored, so that no agent is asked again after a crash. */
export const SessionWork = z.strictObject({
  costMicroUsd: z.number().int().nonnegative(),
  given: z.array(z.string()),
  meanings: z.record(z.string(), z.string()).default(() => ({})),
  refused: z.array(z.strictObject({ id: z.string(), why: z.string() })).default(() => []),
  result: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("changed"),
      commit: HeadSha,
      /** Equal for equal changes. */
      diff: z.string().min(1),
      summary: z.string(),
      addressed: z.array(z.string()),
      notAddressed: z.array(z.strictObject({ id: z.string(), why: z.string() })),
    }),
    z.strictObject({ kind: z.literal("stalled"), why: z.string() }),
    z.strictObject({ kind: z.literal("failed"), why: z.string() }),
    z.strictObject({ kind: z.literal("unfinished"), cause: z.enum(["head_moved", "not_begun"]), why: z.string() }),
    z.strictObject({ kind: z.literal("stopped") }),
  ]),
});
export type SessionWork = Data<typeof SessionWork>;

export interface SessionContext {
  readonly jobContext: JobContext;
  readonly pullContext: PullContext;
  readonly data: SessionJobData;
  readonly session: SessionRecord;
  readonly mirror: Mirror;
  readonly asked: readonly RequestedChange[];
}

const worktreeBytesMax = 2_000_000_000;
const worktreeEntriesMax = 200_000;
const historyCommitsMax = 50;

const importLimits: ImportLimits = {
  entriesMax: 400_000,
  changesMax: 500,
  fileBytesMax: 5_000_000,
  changedBytesMax: 20_000_000,
  pathBytesMax: 1_000,
};

const costMicroUsdMax = 5_000_000;

export async function workSession(sessionContext: SessionContext, agent: Agent): Promise<SessionWork | JobOutcome> {
  const { jobContext, pullContext, session, mirror, asked, data } = sessionContext;
  const read = { given: session.feedback, meanings: meaningsOf(asked) };
  const added = await mirror.addWorktree({
    commit: session.head,
    job: worktreeName(session.id, jobContext.attempt),
    history: { kind: "copied", commitsMax: historyCommitsMax },
    bytesMax: worktreeBytesMax,
    entriesMax: worktreeEntriesMax,
    signal: jobContext.signal,
  });
  if (added.kind !== "added") {
    const result = { kind: "unfinished", cause: "not_begun", why: addingWords(added) } as const;
    return { ...read, costMicroUsd: 0, refused: [], result };
  }
  const { worktree } = added;
  try {
    const money = await paySession({
      jobContext,
      pullContext,
      session,
      agent,
      costMicroUsdMax: data.uptoMicroUsd ?? costMicroUsdMax,
    });
    if ("kind" in money) return money;
    await noteAgentBegun(jobContext);
    const began = jobContext.dependencies.clock.now();
    const { outcome, isOverTime, timeMsMax } = await runAgent(sessionContext, agent, {
      workspace: worktree.folder,
      costMicroUsdMax: money.costMicroUsdMax,
    });
    const costMicroUsd = await money.settle(outcome, Math.max(0, jobContext.dependencies.clock.now() - began));
    if (isOverTime) {
      const why = overTime(formatDuration(timeMsMax));
      return { ...read, costMicroUsd, refused: [], result: { kind: "failed", why } };
    }
    const again = await retryWhenAllowed(jobContext, pullContext, { outcome, costMicroUsd });
    if (again !== null) return again;
    const known = new Set(asked.map(({ item }) => item.id));
    const result = await resultOf(sessionContext, outcome, worktree.folder, known);
    return { ...read, costMicroUsd, refused: refusedOf(outcome, known), result };
  } finally {
    await jobContext.dependencies.git.removeWorktree(worktree);
  }
}

/** What the agent was shown of each remark, to notice a later edit. */
function meaningsOf(asked: readonly RequestedChange[]): Record<string, string> {
  const people = asked.filter(({ by }) => by !== null);
  return Object.fromEntries(people.map(({ item }) => [item.id, meaningOf(item.body)]));
}

const agentStep = "agent begun";

/** Only a session whose agent had begun counts as an attempt. */
async function noteAgentBegun({ dependencies, key }: JobContext): Promise<void> {
  await dependencies.store.saveStep({ job: key, step: agentStep }, true);
}

export async function hasAgentBegun({ dependencies, key }: JobContext): Promise<boolean> {
  return (await dependencies.store.findStep({ job: key, step: agentStep })) !== undefined;
}

async function retryWhenAllowed(
  jobContext: JobContext,
  pullContext: PullContext,
  { outcome, costMicroUsd }: { readonly outcome: SessionOutcome; readonly costMicroUsd: number },
): Promise<RetryLater | null> {
  if (outcome.kind !== "failed" || outcome.retryAt === null) return null;
  return await retryStep(jobContext, pullContext, { step: "work", retryAt: outcome.retryAt, costMicroUsd });
}

function refusedOf(outcome: SessionOutcome, known: ReadonlySet<string>): SessionWork["refused"] {
  if (outcome.kind === "failed") return [];
  return outcome.notAddressed
    .filter(({ id, isRefused }) => isRefused === true && known.has(id))
    .map(({ id, why }) => ({ id, why }));
}

function addingWords(added: Exclude<WorktreeAdded, { readonly kind: "added" }>): string {
  switch (added.kind) {
    case "unwritable":
      return sessionEndWords.unwritable;
    case "unknown_commit":
      return sessionEndWords.noHead;
    case "over_limit":
      return repositoryTooLarge(added.limit, added.max);
    default:
      return never(added);
  }
}

/** A wall clock of ours: some agents go on trying for longer than anybody waits. */
async function runAgent(
  { jobContext, pullContext, data, session, asked }: SessionContext,
  agent: Agent,
  { workspace, costMicroUsdMax: costMax }: { readonly workspace: string; readonly costMicroUsdMax: number },
): Promise<{ readonly outcome: SessionOutcome; readonly isOverTime: boolean; readonly timeMsMax: number }> {
  const { clock, durations } = jobContext.dependencies;
  const timeMsMax = data.limitMs ?? durations.sessionMsMax;
  const ended = new AbortController();
  const limit = new AbortController();
  const abortInTime = async (): Promise<void> => {
    await clock.sleep(timeMsMax, ended.signal);
    if (!ended.signal.aborted) limit.abort();
  };
  const timeout = abortInTime();
  try {
    let isTold = false;
    const run = async (): Promise<SessionOutcome> => {
      const told = await agent.run({
        workspace,
        prompt: sessionPrompt(session.purpose, promptContext(pullContext, session, asked)),
        feedback: asked.map(({ item }) => item),
        limits: { timeMsMax, costMicroUsdMax: costMax },
        signal: AbortSignal.any([jobContext.signal, limit.signal]),
      });
      isTold = true;
      return told;
    };
    const ran = await callPaid(jobContext, "agent", run);
    // An agent that failed may have spent any amount.
    const outcome: SessionOutcome = isTold ? ran : { ...ran, costMicroUsd: null };
    return { outcome, isOverTime: limit.signal.aborted, timeMsMax };
  } finally {
    ended.abort();
    await timeout;
  }
}

function promptContext(
  { seen }: PullContext,
  session: SessionRecord,
  asked: readonly RequestedChange[],
): readonly PromptPart[] {
  const { pull, checks } = seen;
  const red = checks.filter(({ head, state }) => head === session.head && state === "failed").map(({ name }) => name);
  return [
    promptData(`the title of pull ${pull.number}`, pull.title),
    promptData("its description", pull.body),
    ...(red.length === 0 ? [] : [promptData("failed checks", Untrusted.parse(red.join("\n")))]),
    ...asked.map(({ item: { id, login, body, place } }) => {
      const where =
        place === null ? "" : ` on ${place.path}${place.lines.kind === "proven" ? `:${linesText(place.lines)}` : ""}`;
      return promptData(`remark ${id}`, Untrusted.parse(`by ${login}${where}:\n${body}`));
    }),
  ];
}

function linesText({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

async function resultOf(
  sessionContext: SessionContext,
  outcome: SessionOutcome,
  folder: string,
  known: ReadonlySet<string>,
): Promise<SessionWork["result"]> {
  const { session, mirror, jobContext } = sessionContext;
  if (outcome.kind === "failed") return { kind: "failed", why: outcome.why };
  // What the agent says it did is not believed: the folder is looked at either way.
  const imported = await mirror.importResult({
    folder,
    commit: session.head,
    limits: importLimits,
    protectedPaths: [],
    ciPaths: "protected",
    keptPaths: [],
    signal: jobContext.signal,
  });
  if (imported.kind === "unchanged") return { kind: "stalled", why: withoutChange(reasonsOf(outcome)) };
  if (imported.kind !== "imported") return { kind: "failed", why: importWords(imported) };
  const commit = await mirror.commitTree({
    tree: imported.tree,
    parents: [session.head],
    message: commitMessage(session),
    identity: { name: "Drover", email: "drover@localhost" },
    at: session.startedAt,
  });
  const patch = await mirror.patchOf({ base: session.head, head: commit, signal: jobContext.signal });
  const addressed = outcome.kind === "changed" ? outcome.addressed.filter((id) => known.has(id)) : [];
  const notAddressed = outcome.notAddressed.filter(({ id }) => known.has(id) && !addressed.includes(id));
  return {
    kind: "changed",
    commit,
    diff: patch ?? imported.tree,
    summary: outcome.summary,
    addressed,
    notAddressed: notAddressed.map(({ id, why }) => ({ id, why })),
  };
}

function reasonsOf(outcome: Exclude<SessionOutcome, { readonly kind: "failed" }>): readonly string[] {
  const { notAddressed, summary } = outcome;
  return notAddressed.length > 0 || outcome.kind === "changed" ? notAddressed.map(({ why }) => why) : [summary];
}

function importWords(imported: Exclude<ImportOutcome, { readonly kind: "imported" | "unchanged" }>): string {
  if (imported.kind === "unknown_commit") return sessionEndWords.noHead;
  return refusedChange(imported.problems.map(({ path, why }) => ({ path: path.text, why })));
}

/** An id may hold characters that a folder must not. One folder per attempt: the worker before may still be at work. */
function worktreeName(session: SessionId, attempt: number): string {
  return `session-${digestOf(session)}-${attempt}`;
}
