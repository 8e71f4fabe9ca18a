import type { Effect, EffectOutcome } from "#act/effect.ts";
import { ensureComment } from "#act/ensure-comment.ts";
import { mentionsOf } from "#act/ensure-escalated.ts";
import { ensureState } from "#act/ledger.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { Account } from "#core/model/account.ts";
import type { ThreadId } from "#core/model/ids.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { sessionReply, sessionReport, suggestionRefused } from "#core/words/session-report.ts";
import { nothingLeftToFix } from "#core/words/session-words.ts";
import { type RequestedChange, refusalKey } from "#jobs/session-feedback.ts";
import type { SessionWork } from "#jobs/work-session.ts";

interface Refusing {
  readonly session: SessionRecord;
  readonly asked: readonly RequestedChange[];
  readonly refused: SessionWork["refused"];
}

interface Reporting extends Refusing {
  readonly left: readonly { readonly id: string; readonly why: string }[];
  readonly result: Extract<SessionWork["result"], { readonly kind: "changed" }>;
}

/** What the forge refuses is left out, because the push stands. What has to wait delays the rest. */
export async function reportSession(context: PullContext, reporting: Reporting): Promise<EffectOutcome> {
  const { asked, result } = reporting;
  const addressed = asked.filter(({ item }) => result.addressed.includes(item.id));
  for (const thread of threadsOf(addressed)) {
    const replied = await replyIn(context, reporting, thread);
    if (replied.kind === "later") return replied;
  }
  const refused = await tellRefused(context, reporting);
  if (refused.kind === "later") return refused;
  const reviewers = reviewersOf(context, asked);
  if (reviewers.length + addressed.length === 0) return done;
  const told = await tell(context, reporting, reviewers);
  if (told.kind === "later" || reviewers.length === 0) return told;
  return await renewRequest(context, reporting, reviewers);
}

const done: EffectOutcome = { kind: "done", result: null };

/** The key names the remark and its text but no session: a second refusal is not written again. */
export async function tellRefused(context: PullContext, { session, asked, refused }: Refusing): Promise<EffectOutcome> {
  for (const { id, why } of refused) {
    const found = asked.find(({ item, by }) => item.id === id && by !== null);
    if (found === undefined || found.thread === null) continue;
    const key = refusalKey(id, found.item.body);
    const told = await ensureComment(context, {
      key,
      lane: key,
      head: session.head,
      why: { askedBy: `session ${session.id}`, rule: "a suggestion that cannot be applied", inputs: [id] },
      note: { kind: "none" },
      kind: "session_reply",
      thread: found.thread,
      words: suggestionRefused(why, context.seen.rules.handle),
      blocks: [],
    });
    if (told.kind === "later") return told;
  }
  return done;
}

/** For the author of the `fix`, which was acknowledged before. */
export async function tellNothingLeft(context: PullContext, session: SessionRecord): Promise<EffectOutcome> {
  return await ensureComment(context, {
    key: actionKey("session_empty", session.id),
    head: session.head,
    why: { askedBy: `session ${session.id}`, rule: "nothing was left to fix", inputs: session.feedback },
    note: { kind: "none" },
    kind: "session_report",
    thread: null,
    words: nothingLeftToFix(session.head, context.seen.rules.handle),
    blocks: [],
  });
}

/** Only of people: Drover's own findings are closed by the next review. */
function threadsOf(addressed: readonly RequestedChange[]): readonly ThreadId[] {
  const threads = addressed.flatMap(({ by, thread }) => (by === null || thread === null ? [] : [thread]));
  return [...new Set(threads)];
}

function reviewersOf({ seen }: PullContext, asked: readonly RequestedChange[]): readonly Account[] {
  const requesting = seen.reviews.filter(({ state }) => state === "changes_requested").map(({ author }) => author);
  const people = [...asked.flatMap(({ by }) => (by === null ? [] : [by])), ...requesting];
  const others = people.filter(({ id, kind }) => kind === "person" && id !== seen.bot.id && id !== seen.pull.author.id);
  return [...new Map(others.map((account) => [account.id, account])).values()];
}

function effectOf({ session, result }: Reporting, ...name: readonly [string, ...string[]]): Omit<Effect, "kind"> {
  const key = actionKey(...name);
  return {
    key,
    lane: key,
    head: result.commit,
    why: { askedBy: `session ${session.id}`, rule: "after a session's push", inputs: result.addressed },
    note: { kind: "none" },
  };
}

async function replyIn(context: PullContext, reporting: Reporting, thread: ThreadId): Promise<EffectOutcome> {
  const { session, result } = reporting;
  return await ensureComment(context, {
    ...effectOf(reporting, "session_reply", session.id, thread),
    kind: "session_reply",
    thread,
    words: sessionReply(result.commit, context.seen.rules.handle),
    blocks: [],
  });
}

async function tell(context: PullContext, reporting: Reporting, reviewers: readonly Account[]): Promise<EffectOutcome> {
  const { session, asked, result } = reporting;
  const left = reporting.left.flatMap(({ id, why }) => {
    const item = asked.find((one) => one.item.id === id)?.item;
    return item === undefined ? [] : [{ login: item.login, why }];
  });
  const words = sessionReport(
    { head: result.commit, summary: result.summary, addressedCount: result.addressed.length, left },
    context.seen.rules.handle,
  );
  const logins = reviewers.map(({ login }) => login);
  return await ensureComment(context, {
    ...effectOf(reporting, "session_report", session.id),
    kind: "session_report",
    thread: null,
    words: `${mentionsOf(context, logins)}${words}`,
    blocks: [],
  });
}

async function renewRequest(
  context: PullContext,
  reporting: Reporting,
  reviewers: readonly Account[],
): Promise<EffectOutcome> {
  const { forge } = context.dependencies;
  const effect: Effect = {
    ...effectOf(reporting, "review_request", reporting.session.id),
    kind: "review_request",
  };
  return await ensureState(context, effect, () => forge.requestReviews({ pull: context.ref, reviewers }));
}
