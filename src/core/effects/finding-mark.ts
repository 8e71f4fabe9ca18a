import { compareIds } from "#core/derive/canonical-order.ts";
import type { Comment, Thread } from "#core/model/conversation.ts";
import type { Finding } from "#core/model/finding.ts";
import type { Observation } from "#core/model/observation.ts";

export function writeFindingMark({ id, head }: Pick<Finding, "id" | "head">): string {
  return `<!-- drover:finding ${encodeURIComponent(id)} ${head} -->`;
}

const pattern = /^<!-- drover:finding ([\w.%!'()*~-]+) ([0-9a-f]{40,64}) -->/;

/** Forges do not return ids of new threads. If a lost response made two threads, the older one holds. */
export function linkThreads(
  seen: Pick<Observation, "bot" | "threads">,
  findings: readonly Finding[],
): readonly Finding[] {
  if (findings.every((finding) => finding.thread !== null)) return findings;
  const threads = new Map<string, Thread>();
  for (const thread of seen.threads.toSorted((left, right) => compareIds(left.id, right.id))) {
    const name = nameOf(seen, thread);
    if (name !== undefined && !threads.has(name)) threads.set(name, thread);
  }
  if (threads.size === 0) return findings;
  const linked = findings.map((finding) => {
    if (finding.thread !== null) return finding;
    const thread = threads.get(`${encodeURIComponent(finding.id)} ${finding.head}`);
    return thread === undefined ? finding : { ...finding, thread: thread.id };
  });
  // The same list if nothing is new, or the caller would store it again.
  return linked.every((finding, index) => finding === findings[index]) ? findings : linked;
}

export function duplicateRemarks(seen: Pick<Observation, "bot" | "threads">): readonly Comment[] {
  const said = new Set<string>();
  return seen.threads
    .toSorted((left, right) => compareIds(left.id, right.id))
    .flatMap((thread) => {
      const name = nameOf(seen, thread);
      const remark = thread.comments[0];
      if (name === undefined || remark === undefined) return [];
      const isSaid = said.has(name);
      said.add(name);
      return isSaid ? [remark] : [];
    });
}

function nameOf(seen: Pick<Observation, "bot">, thread: Thread): string | undefined {
  const remark = thread.comments[0];
  if (remark === undefined || remark.author.id !== seen.bot.id) return undefined;
  const found = pattern.exec(remark.body);
  return found === null ? undefined : `${found[1]} ${found[2]}`;
}
