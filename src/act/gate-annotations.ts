import type { PullContext } from "#act/pull-context.ts";
import type { Finding } from "#core/model/finding.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";
import { findingNote, worstFirst } from "#core/words/finding-words.ts";
import type { GateAnnotation } from "#ports/forge.ts";

/** GitHub accepts no more in one request, and more would not be read. */
const annotationsMax = 50;

/**
 * What stands at this head and has no remark in the diff, because there were too many: the check shows it beside the
 * lines. What has a remark is not shown there a second time.
 */
export function gateAnnotations({ seen }: Pick<PullContext, "seen">, head: HeadSha): readonly GateAnnotation[] {
  if (head !== seen.pull.head.sha) return [];
  const { records, rules } = seen;
  const isRead = records.runs.some((run) => run.head === head && run.state.kind === "completed");
  if (!isRead) return [];
  return rules.reviews.roles
    .flatMap(({ name }) => unremarked(seen, name, head))
    .slice(0, annotationsMax)
    .map((finding) => ({
      path: finding.path,
      lines: finding.lines,
      level: finding.isBlocking ? "failure" : "warning",
      words: findingNote(seen, finding),
    }));
}

/** Until the review is published, its worst findings are still to become remarks. */
function unremarked({ records, rules }: PullContext["seen"], role: string, head: HeadSha): readonly Finding[] {
  const silent = records.findings.filter(
    (finding) => finding.role === role && finding.thread === null && finding.state.kind !== "resolved",
  );
  const isPublished = records.published.some((one) => one.role === role && one.head === head);
  return worstFirst(silent)
    .slice(isPublished ? 0 : rules.reviews.commentsMax)
    .filter(({ side, snippet }) => side === "new" && !isBlankSnippet(snippet));
}
