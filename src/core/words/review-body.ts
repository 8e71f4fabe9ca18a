import type { Finding } from "#core/model/finding.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Coverage, PublishedReview } from "#core/model/records.ts";
import type { RoleSituation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { summariseCoverage } from "#core/review/coverage.ts";
import type { EventReason } from "#core/review/review-update.ts";
import { counted, listed } from "#core/words/counted.ts";
import { findingLine, settledLine, worstFirst } from "#core/words/finding-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainText } from "#core/words/plain-text.ts";
import { shortPath } from "#core/words/short-path.ts";
import { shortSha } from "#core/words/short-sha.ts";

const summaryCharactersMax = 8_000;
const linesMax = 100;

export function reviewBody(
  seen: Observation,
  review: {
    readonly role: Extract<RoleSituation, { readonly kind: "completed" }>;
    readonly findings: readonly Finding[];
    readonly verdict: PublishedReview["verdict"];
  },
): string {
  const { role, findings, verdict } = review;
  const open = findings.filter((finding) => finding.state.kind !== "resolved");
  const summary = role.run.state.kind === "completed" ? role.run.state.summary : "";
  const closed = new Set(seen.records.closedThreads);
  // An earlier head came back, and with it a fixed finding: it gets no second remark in the code.
  const line = (finding: Finding): string =>
    `${findingLine(finding)}${finding.thread !== null && closed.has(finding.thread) ? backAgain : ""}`;
  const sections = [
    `### ${titleOf(role.role)} of ${codeSpan(shortSha(role.run.head))}`,
    verdictLine(verdict, {
      open,
      isOneOfSeveral: seen.rules.reviews.roles.length > 1,
      isSwayed: role.coverage.isSwayed === true,
    }),
    ...(summary === "" ? [] : [plainText(summary, summaryCharactersMax)]),
    ...section("Blocking", worstFirst(open.filter((finding) => finding.isBlocking)).map(line)),
    ...section("Other findings", worstFirst(open.filter((finding) => !finding.isBlocking)).map(line)),
    ...section("Settled", findings.filter((finding) => finding.state.kind === "resolved").map(settledLine)),
    ...unreadSection(role.coverage),
  ];
  return outgoing(sections.join("\n\n"), seen.rules.handle);
}

const backAgain = ". It was fixed and is back: its remark in the code is open again, although its thread was closed";

function titleOf(role: string): string {
  return `${role.charAt(0).toUpperCase()}${role.slice(1)} review`;
}

interface Standing {
  readonly open: readonly Finding[];
  readonly isOneOfSeveral: boolean;
  readonly isSwayed: boolean;
}

function verdictLine(verdict: PublishedReview["verdict"], { open, isOneOfSeveral, isSwayed }: Standing): string {
  const blocking = open.filter((finding) => finding.isBlocking).length;
  switch (verdict) {
    case "approve":
      if (open.length > 0) return `${counted(open.length, "finding", "findings")}, none blocks.`;
      return isOneOfSeveral ? "No findings of its own." : "No findings.";
    case "request_changes":
      return `${counted(blocking, "finding blocks", "findings block")} this pull.`;
    case "comment":
      return isSwayed
        ? "Some of the text seems to give orders to models, so this is no approval: a person has to check it."
        : "Not everything could be read, so this is no approval.";
    default:
      return never(verdict);
  }
}

export function eventNote(why: EventReason): string {
  switch (why) {
    case "judged":
      return "";
    case "sibling_requests_changes":
      return "\n\nAnother role asks for changes, so this review does too: a forge counts only the last verdict of an account.";
    case "sibling_incomplete":
      return "\n\nAnother role has read the pull only in part, so this is no approval.";
    case "unsigned_request":
      return `\n\nAnother review of this account asks for changes. It is signed with another secret, so this job cannot lift it, and this is no approval. Run all roles with the same secret, or dismiss that review by hand once its request is met.`;
    case "own_pull":
      return "\n\nThis pull is Drover's own, so this is a comment; the check carries the verdict.";
    case "may_not_approve":
      return "\n\nThis account may not approve here, so this is a comment; the check carries the verdict.";
    case "may_not_lift":
      return "\n\nThis account may not approve here, so this is a comment; the check carries the verdict. Its earlier request for changes stands until a person with the right to do so dismisses it.";
    default:
      return never(why);
  }
}

/** A dismissal settles nothing, and people should know what does. */
export function dismissedNote(): string {
  return (
    "\n\nThis request was dismissed. A dismissal does not waive the blocking findings, so the request is made again. There are three ways to settle it: " +
    `fix the code; answer a remark and say why it is wrong; or ask a person with write permission to answer it with a line ${codeSpan("waive: <reason>")}.`
  );
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, linesMax).map((line) => `- ${line}`);
  const rest = lines.length > linesMax ? [`- and ${lines.length - linesMax} more`] : [];
  return [[`**${title}** (${lines.length})`, "", ...shown, ...rest].join("\n")];
}

const unreadReasons = {
  size: "too large",
  binary: "binary",
  generated:
    "skipped: its name marks it as generated. If it needs no review, add it to `excludedPaths` in `.drover.yml` on the base branch",
  excluded: "left out by the rules, or a lock file",
  budget: "the budget was used up",
  unreadable: "the reviewer's answer could not be read",
} as const satisfies Record<Coverage["unread"][number]["why"], string>;

const pathsMax = 30;

function unreadSection(coverage: Coverage): readonly string[] {
  const lines = summariseCoverage(coverage).unread.map(
    ({ why, paths }) =>
      `- ${unreadReasons[why]}: ${listed(
        paths.map((path) => codeSpan(shortPath(path))),
        pathsMax,
      )}`,
  );
  return lines.length === 0 ? [] : [[`**Not read** (${coverage.unread.length})`, "", ...lines].join("\n")];
}
