import type { Turn } from "#act/turn.ts";
import { readAddress } from "#core/commands/read-address.ts";
import { type Remark, remarksOf } from "#core/derive/remarks.ts";
import type { Account } from "#core/model/account.ts";
import type { Finding } from "#core/model/finding.ts";
import { type ThreadId, Untrusted } from "#core/model/ids.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { codeBlock, plainText } from "#core/words/plain.ts";
import type { FeedbackItem } from "#ports/agent.ts";

/** One thing that the agent is asked for, with what it takes to answer whoever asked. */
export interface Asked {
  readonly item: FeedbackItem;
  /** Null for a finding of Drover's own: the next review answers that one. */
  readonly by: Account | null;
  readonly thread: ThreadId | null;
}

/** What a session is given: the remarks that the plan named, as far as they are still there, and Drover's own findings. */
export function sessionFeedback({ seen }: Pick<Turn, "seen">, session: SessionRecord): readonly Asked[] {
  const ids = new Set<string>(session.feedback);
  const said = remarksOf(seen)
    .filter(({ comment }) => ids.has(comment.id))
    // The command that started the session is no remark on the code.
    .filter(({ comment }) => readAddress(comment.body, seen.rules.handle).command === null)
    .map(asAsked);
  const silent = seen.reviews
    .filter(({ id, body }) => ids.has(`review:${id}`) && body === "")
    .map(
      ({ id, author, body }): Asked => ({
        item: { id: `review:${id}`, login: author.login, url: null, body, place: null },
        by: author,
        thread: null,
      }),
    );
  const isForCode = session.purpose === "command" || session.purpose === "feedback";
  const own = isForCode ? seen.records.findings.filter(isOpen).map((finding) => ownAsked(seen, finding, session)) : [];
  return [...said, ...silent, ...own];
}

function asAsked({ comment, thread }: Remark): Asked {
  const line = thread?.line ?? null;
  const place =
    thread === null
      ? null
      : { path: thread.path, lines: line === null ? null : { first: line, last: line }, snippet: null };
  return {
    item: { id: comment.id, login: comment.author.login, url: null, body: comment.body, place },
    by: comment.author,
    thread: thread?.id ?? null,
  };
}

/** What people argue about or were called for is theirs to decide. */
function isOpen({ state, side }: Finding): boolean {
  return state.kind === "open" && side === "new";
}

/**
 * A suggestion of a model is applied where somebody told Drover to mend its findings, and not because they remarked on
 * something else meanwhile: nothing that a model says is pushed by itself. Fixed rules suggest what everybody can check.
 */
function ownAsked({ rules, bot }: Turn["seen"], finding: Finding, { purpose }: SessionRecord): Asked {
  const isByRules = rules.reviews.roles.some(({ name, reviewer }) => name === finding.role && reviewer === "rules");
  const isWanted = purpose === "command" || isByRules;
  return fromFinding(isWanted ? finding : { ...finding, suggestion: null }, bot);
}

const messageCharactersMax = 4_000;

function fromFinding(finding: Finding, bot: Account): Asked {
  const { id, path, lines, snippet, suggestion } = finding;
  const message = plainText(finding.message, messageCharactersMax);
  const body = suggestion === null ? message : `${message}\n\n${codeBlock(suggestion, "suggestion")}`;
  return {
    item: {
      id: `finding:${id}`,
      login: bot.login,
      url: null,
      body: Untrusted.parse(body),
      place: { path, lines, snippet: snippet === "" ? null : snippet },
    },
    by: null,
    thread: finding.thread,
  };
}
