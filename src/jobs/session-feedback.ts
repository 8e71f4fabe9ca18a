import { blockContextOf } from "#act/compose-body.ts";
import type { PullContext } from "#act/pull-context.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { isMendable } from "#core/derive/fixing.ts";
import { type Remark, remarksOf } from "#core/derive/remarks.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import type { Account } from "#core/model/account.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import { type HeadSha, type ThreadId, Untrusted } from "#core/model/ids.ts";
import type { Records, SessionRecord } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { codeBlock, plainText } from "#core/words/plain-text.ts";
import type { PlaceRemark } from "#jobs/place-remark.ts";
import type { FeedbackItem, FeedbackLines } from "#ports/agent.ts";

export interface RequestedChange {
  readonly item: FeedbackItem;
  /** Null for a finding of Drover's own: the next review answers that one. */
  readonly by: Account | null;
  readonly thread: ThreadId | null;
}

export async function sessionFeedback(
  context: PullContext,
  session: SessionRecord,
  placeRemark: PlaceRemark,
): Promise<readonly RequestedChange[]> {
  const { seen } = context;
  const ids = new Set<string>(session.feedback);
  const remarks = remarksOf(seen)
    .filter(({ comment }) => ids.has(comment.id))
    // The command that started the session is no remark on the code.
    .filter(({ comment }) => readBotMessage(comment.body, seen.rules.handle).command === null);
  const said: RequestedChange[] = [];
  for (const remark of remarks) said.push(await asAsked(context, remark, placeRemark));
  const silent = seen.reviews
    .filter(({ id, body }) => ids.has(`review:${id}`) && body === "")
    .map(
      ({ id, author, body }): RequestedChange => ({
        item: { id: `review:${id}`, login: author.login, url: null, body, place: null },
        by: author,
        thread: null,
      }),
    );
  const isForCode = session.purpose === "command" || session.purpose === "feedback";
  const own = isForCode
    ? seen.records.findings.filter(isMendable).map((finding) => ownAsked(seen, finding, session))
    : [];
  return [...said, ...silent, ...own];
}

async function asAsked(
  context: PullContext,
  { comment, thread }: Remark,
  placeRemark: PlaceRemark,
): Promise<RequestedChange> {
  const found = thread === null ? null : await placeRemark(thread);
  const place =
    found !== null && isRefused(context, comment) ? ({ ...found, lines: { kind: "unproven" } } as const) : found;
  return {
    item: { id: comment.id, login: comment.author.login, url: null, body: comment.body, place },
    by: comment.author,
    thread: thread?.id ?? null,
  };
}

/** Names the remark and its text: an edited remark is another one. */
export function refusalKey(remark: string, body: string): string {
  return actionKey("suggestion_refused", remark, digestOf(body));
}

/** Its author was asked to suggest it again: later the lines may only read like the ones it was meant for. */
function isRefused(context: PullContext, { id, body }: Remark["comment"]): boolean {
  const mark = markOf(refusalKey(id, body), blockContextOf(context), context.dependencies.secret);
  return oldestOf(context.effects, mark) !== undefined;
}

/** A model's suggestion needs a person who ordered the fix. Anyone can check those of the fixed rules. */
function ownAsked(
  { rules, bot, records }: PullContext["seen"],
  finding: Finding,
  { purpose, head }: SessionRecord,
): RequestedChange {
  const isByRules = rules.reviews.roles.some(({ name, reviewer }) => name === finding.role && reviewer === "rules");
  const isWanted = purpose === "command" || isByRules;
  const lines = isSeenAt(records, finding, head) ? linesOf(finding) : ({ kind: "unproven" } as const);
  return fromFinding(isWanted ? finding : { ...finding, suggestion: null }, { bot, lines });
}

/** A finding has the lines of the last head at which its role looked for it. */
function isSeenAt({ runs }: Records, { id, role }: Finding, head: HeadSha): boolean {
  return runs.some((run) => {
    if (run.head !== head || run.role !== role || run.state.kind !== "completed") return false;
    return run.state.findings.includes(id);
  });
}

function linesOf({ lines: { first, last }, snippet }: Finding): FeedbackLines {
  if (snippet === "") return { kind: "unproven" };
  return { kind: "proven", first, last, text: snippet.replace(/\r?\n$/, "").replaceAll("\r\n", "\n") };
}

const messageCharactersMax = 4_000;

function fromFinding(
  finding: Finding,
  { bot, lines }: { readonly bot: Account; readonly lines: FeedbackLines },
): RequestedChange {
  const { id, path, suggestion } = finding;
  const message = plainText(finding.message, messageCharactersMax);
  const body = suggestion === null ? message : `${message}\n\n${codeBlock(suggestion, "suggestion")}`;
  return {
    item: {
      id: `finding:${id}`,
      login: bot.login,
      url: null,
      body: Untrusted.parse(body),
      place: { path, lines },
    },
    by: null,
    thread: finding.thread,
  };
}
