import { compareText } from "#core/compare-text.ts";
import type { Comment, Review } from "#core/model/conversation.ts";
import type { Observation } from "#core/model/observation.ts";

/** Paging over a moving list repeats elements, and decisions may not depend on a forge's order. */
export function toCanonicalOrder(seen: Observation): Observation {
  const { records } = seen;
  return {
    ...seen,
    comments: tidyComments(seen.comments),
    reviews: inOrder(seen.reviews, (review) => review.id, compareReviews),
    threads: inOrder(
      seen.threads.map((thread) => ({ ...thread, comments: tidyComments(thread.comments) })),
      (thread) => thread.id,
      (left, right) => compareIds(left.id, right.id),
    ),
    checks: inOrder(
      seen.checks,
      (check) => JSON.stringify(check),
      (left, right) => compareText(left.name, right.name),
    ),
    records: {
      ...records,
      runs: inOrder(
        records.runs,
        (run) => [run.head, run.baseBranch, run.role, JSON.stringify(run.trigger), run.startedAt].join(" "),
        (left, right) => left.startedAt - right.startedAt || compareText(JSON.stringify(left), JSON.stringify(right)),
      ),
      findings: inOrder(
        records.findings,
        (finding) => finding.id,
        (left, right) => compareText(left.id, right.id),
      ),
      sessions: inOrder(
        records.sessions,
        (session) => session.id,
        (left, right) => left.startedAt - right.startedAt || compareText(left.id, right.id),
      ),
    },
  };
}

function tidyComments(comments: readonly Comment[]): readonly Comment[] {
  return inOrder(comments, (comment) => comment.id, compareComments);
}

function compareComments(left: Comment, right: Comment): number {
  return left.createdAt - right.createdAt || compareIds(left.id, right.id);
}

function compareReviews(left: Review, right: Review): number {
  return left.submittedAt - right.submittedAt || compareIds(left.id, right.id);
}

/** Forge ids may exceed the safe integers: the longer is the later, then digit by digit. */
export function compareIds(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

/** Of two copies that differ one is taken by its content, whichever was listed first. */
function inOrder<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  compare: (left: Item, right: Item) => number,
): readonly Item[] {
  const once = new Map<string, Item>();
  for (const item of items) {
    const id = idOf(item);
    const other = once.get(id);
    once.set(id, other === undefined ? item : newer(other, item));
  }
  return [...once.values()].sort(compare);
}

function newer<Item>(left: Item, right: Item): Item {
  const later = editTime(left) - editTime(right);
  if (later !== 0) return later > 0 ? left : right;
  return JSON.stringify(left) >= JSON.stringify(right) ? left : right;
}

function editTime(item: unknown): number {
  const time = typeof item === "object" && item !== null && "editedAt" in item ? item.editedAt : null;
  return typeof time === "number" ? time : 0;
}
