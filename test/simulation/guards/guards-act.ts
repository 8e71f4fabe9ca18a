import type { Guard } from "./guard.ts";

/** What makes repeated and late writes harmless. */
export const actGuards: readonly Guard[] = [
  {
    name: "converge",
    why: "What a worker that stood still sent twice stays there twice.",
    file: "src/reconcile/tick.ts",
    text: "await convergeEffects(turn);",
    instead: "",
  },
  {
    name: "converge-remarks",
    why: "The same finding stands in two threads, and people answer in both.",
    file: "src/act/converge-effects.ts",
    text: "[...duplicatesIn(turn.effects), ...remarks]",
    instead: "[...duplicatesIn(turn.effects)]",
  },
  {
    name: "oldest-effect-is-kept",
    why: "The comment that people have answered to, and that the ledger knows, is the one that is blanked.",
    file: "src/core/effects/own-effects.ts",
    text: "return left.at - right.at || compareIds(left.id, right.id);",
    instead: "return right.at - left.at || compareIds(right.id, left.id);",
  },
  {
    name: "effects-of-own-account-only",
    why: "Whoever copies a mark has Drover take their comment for its own: it blanks it, or never posts its own.",
    file: "src/core/effects/own-effects.ts",
    text: "if (author.id !== seen.bot.id) return;",
    instead: "",
  },
  {
    name: "leftover-reviews-are-discarded",
    why: "The remarks of a review that failed half-way leak into the next one.",
    file: "src/act/converge-effects.ts",
    text: "if (isLeftOver(turn, review)) comeBackFor(turn, await discard(turn, review));",
    instead: "if (isLeftOver(turn, review)) continue;",
  },
  {
    name: "only-old-pending-reviews-are-discarded",
    why: "A look of a minute ago shows a review as pending that was submitted since: discarding it deletes its threads.",
    file: "src/act/converge-effects.ts",
    text: "return turn.seen.observedAt - review.submittedAt >= turn.parts.spans.settleMs;",
    instead: "return true;",
  },
  {
    name: "sha-on-merge",
    why: "What is merged is what was pushed a moment ago, which nobody has read or approved.",
    file: "src/act/ensure-merged.ts",
    text: "turn.parts.forge.merge({ pull: turn.ref, head });",
    instead:
      "turn.parts.forge.merge({ pull: turn.ref, head: (await turn.parts.forge.fetchPull(turn.ref)).pull.head.sha });",
  },
  {
    name: "withdrawn-approval-is-dismissed",
    why: "An approval that no longer holds goes on counting on the forge.",
    file: "src/act/ensure-review-published.ts",
    text: "if (old.dismisses) {",
    instead: "if (false) {",
  },
  {
    name: "deleted-managed-comment-is-waited-for",
    why: "A comment that the forge does not show yet is taken for deleted, and written again.",
    file: "src/act/ensure-managed-comment.ts",
    text: 'if (turn.askedAt < shownAt) return { kind: "wait", at: shownAt };',
    instead: "",
  },
  {
    name: "notes-kept-on-the-pull",
    why: "With the database everything is lost that no comment of its own carries: commands are obeyed again.",
    file: "src/reconcile/tick.ts",
    text: 'else if (actions.every(({ kind }) => kind !== "update_managed_comment")) await keepNotes(turn);',
    instead: "",
  },
];
