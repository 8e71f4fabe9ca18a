import { formatInstant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { plainLine } from "#core/words/plain-text.ts";
import type { Log, LogFacts } from "#ports/log.ts";
import type { Notice, Notifier } from "#ports/notifier.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export function logNotifier(log: Log, pageOf?: (pull: PullRef) => string): Notifier {
  return {
    notify: async (notice) => {
      const facts = { ...factsOf(notice), ...(pageOf === undefined ? {} : { link: pageOf(notice.pull) }) };
      const isUrgent = notice.what.kind === "escalated" && notice.what.severity !== "info";
      if (isUrgent) log.warn(facts, wordsOf(notice));
      else log.info(facts, wordsOf(notice));
    },
  };
}

const textCharactersMax = 500;

function factsOf({ key, pull, what }: Notice): LogFacts {
  const subject = { key, repository: pull.repository.name, pull: pull.number };
  switch (what.kind) {
    case "approval_changed":
      return {
        ...subject,
        from: what.event.from,
        to: what.event.to,
        head: what.event.head,
        since: formatInstant(what.event.at),
      };
    case "feedback_received":
    case "feedback_addressed":
      return {
        ...subject,
        remarks: what.event.remarks.join(" "),
        head: what.event.head,
        since: formatInstant(what.event.at),
      };
    case "escalated":
      return { ...subject, severity: what.severity, text: plainLine(what.text, textCharactersMax) };
    case "merged":
      return { ...subject, head: what.head };
    default:
      return never(what);
  }
}

function wordsOf({ what }: Notice): string {
  switch (what.kind) {
    case "approval_changed":
      return "approval changed";
    case "feedback_received":
      return "feedback received";
    case "feedback_addressed":
      return "feedback addressed";
    case "escalated":
      return "people are asked for help";
    case "merged":
      return "pull merged";
    default:
      return never(what);
  }
}
