import { ensureComment } from "#act/comment.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { calls } from "#act/ensure-escalated.ts";
import { ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import type { Account } from "#core/model/account.ts";
import type { ThreadId } from "#core/model/ids.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { sessionReply, sessionReport, suggestionRefused } from "#core/words/session-report.ts";
import { nothingLeftToFix } from "#core/words/session-words.ts";
import { type Asked, refusalKey } from "#jobs/session-feedback.ts";
import type { SessionWork } from "#jobs/work-session.ts";

interface Refusing {
  readonly session: SessionRecord;
  readonly asked: readonly Asked[];
  readonly refused: SessionWork["refused"];
}

interface Reporting extends Refusing {
  /** What it was asked for and did not address. */
  readonly left: readonly { readonly id: string; readonly why: string }[];
  readonly result: Extract<SessionWork["result"], { readonly kind: "changed" }>;
}

/**
 * After the push: a word in each thread that was addressed, one comment that asks for another look, and the review request
 * renewed. What the forge will not have is left out, because the push stands; what has to wait holds up the rest.
 */
export async function reportSession(turn: Turn, reporting: Reporting): Promise<Outcome> {
  const { asked, result } = reporting;
  const addressed = asked.filter(({ item }) => result.addressed.includes(item.id));
  for (const thread of threadsOf(addressed)) {
    const replied = await replyIn(turn, reporting, thread);
    if (replied.kind === "later") return replied;
  }
  const refused = await tellRefused(turn, reporting);
  if (refused.kind === "later") return refused;
  const reviewers = reviewersOf(turn, asked);
  if (reviewers.length + addressed.length === 0) return done;
  const told = await tell(turn, reporting, reviewers);
  if (told.kind === "later" || reviewers.length === 0) return told;
  return await renewRequest(turn, reporting, reviewers);
}

const done: Outcome = { kind: "done", result: null };

/**
 * A word in the thread of each suggestion that was refused. The key names the remark and its text and no session: a
 * further session that refuses it again says nothing.
 */
export async function tellRefused(turn: Turn, { session, asked, refused }: Refusing): Promise<Outcome> {
  for (const { id, why } of refused) {
    const found = asked.find(({ item, by }) => item.id === id && by !== null);
    if (found === undefined || found.thread === null) continue;
    const key = refusalKey(id, found.item.body);
    const told = await ensureComment(turn, {
      key,
      lane: key,
      head: session.head,
      why: { askedBy: `session ${session.id}`, rule: "a suggestion that cannot be applied", inputs: [id] },
      note: { kind: "none" },
      kind: "session_reply",
      thread: found.thread,
      words: suggestionRefused(why, turn.seen.rules.handle),
      blocks: [],
    });
    if (told.kind === "later") return told;
  }
  return done;
}

/** To whoever said `fix`, which was acknowledged before. */
export async function tellNothingLeft(turn: Turn, session: SessionRecord): Promise<Outcome> {
  return await ensureComment(turn, {
    key: actionKey("session_empty", session.id),
    head: session.head,
    why: { askedBy: `session ${session.id}`, rule: "nothing was left to fix", inputs: session.feedback },
    note: { kind: "none" },
    kind: "session_report",
    thread: null,
    words: nothingLeftToFix(session.head, turn.seen.rules.handle),
    blocks: [],
  });
}

/** Of people's remarks: a finding of Drover's own is closed by the next review, which has seen that it is fixed. */
function threadsOf(addressed: readonly Asked[]): readonly ThreadId[] {
  const threads = addressed.flatMap(({ by, thread }) => (by === null || thread === null ? [] : [thread]));
  return [...new Set(threads)];
}

/** Whoever asked for something, or still has changes requested. */
function reviewersOf({ seen }: Turn, asked: readonly Asked[]): readonly Account[] {
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

async function replyIn(turn: Turn, reporting: Reporting, thread: ThreadId): Promise<Outcome> {
  const { session, result } = reporting;
  return await ensureComment(turn, {
    ...effectOf(reporting, "session_reply", session.id, thread),
    kind: "session_reply",
    thread,
    words: sessionReply(result.commit, turn.seen.rules.handle),
    blocks: [],
  });
}

async function tell(turn: Turn, reporting: Reporting, reviewers: readonly Account[]): Promise<Outcome> {
  const { session, asked, result } = reporting;
  const left = reporting.left.flatMap(({ id, why }) => {
    const item = asked.find((one) => one.item.id === id)?.item;
    return item === undefined ? [] : [{ login: item.login, why }];
  });
  const words = sessionReport(
    { head: result.commit, summary: result.summary, addressedCount: result.addressed.length, left },
    turn.seen.rules.handle,
  );
  const logins = reviewers.map(({ login }) => login);
  return await ensureComment(turn, {
    ...effectOf(reporting, "session_report", session.id),
    kind: "session_report",
    thread: null,
    words: `${calls(turn, logins)}${words}`,
    blocks: [],
  });
}

async function renewRequest(turn: Turn, reporting: Reporting, reviewers: readonly Account[]): Promise<Outcome> {
  const { forge } = turn.parts;
  const effect: Effect = {
    ...effectOf(reporting, "review_request", reporting.session.id),
    kind: "review_request",
  };
  return await ensureState(turn, effect, () => forge.requestReviews({ pull: turn.ref, reviewers }));
}
