import type { Guard } from "./guard.ts";

/** What makes repeated and late writes harmless. */
export const actGuards: readonly Guard[] = [
  {
    name: "converge",
    why: "What a worker that stood still sent twice stays there twice.",
    file: "src/reconcile/tick.ts",
    text: "await convergeEffects(pullContext);",
    instead: "",
    killedBy: {
      test: "test/scenarios/workers-sleep.test.ts",
      because: "a worker has to stand still between two certain calls for longer than lease and lag together",
    },
  },
  {
    name: "converge-remarks",
    why: "The same finding stands in two threads, and people answer in both.",
    file: "src/act/converge-effects.ts",
    text: "[...duplicatesIn(context.effects), ...remarks, ...laterManaged(context)]",
    instead: "[...duplicatesIn(context.effects), ...laterManaged(context)]",
    killedBy: {
      test: "test/scenarios/workers-sleep.test.ts",
      because: "It takes a review with remarks whose sender slept on the wire: too rare for a list of seeds.",
    },
  },
  {
    name: "converge-managed-comments",
    why: "Two comments say where the pull stands, and the younger one says it for ever as it was.",
    file: "src/act/converge-effects.ts",
    text: "[...duplicatesIn(context.effects), ...remarks, ...laterManaged(context)]",
    instead: "[...duplicatesIn(context.effects), ...remarks]",
    killedBy: {
      test: "test/scenarios/workers-sleep.test.ts",
      because:
        "It takes two clocks that differ and a stale list right after the first look: too rare for a list of seeds.",
    },
  },
  {
    name: "review-shows-the-newest-text",
    why: "A worker that stood still overwrites a review with an older text, and that text stays.",
    file: "src/core/derive/own-reviews.ts",
    text: "{ ...published, digest: sentinel.digest }",
    instead: "published",
    killedBy: {
      test: "test/scenarios/workers-sleep.test.ts",
      because: "It takes a worker that stands still on the wire during one certain edit: one seed of some 13,000.",
    },
  },
  {
    name: "oldest-effect-is-kept",
    why: "The comment that people have answered to, and that the ledger knows, is the one that is blanked.",
    file: "src/core/effects/own-effects.ts",
    text: "return left.at - right.at || compareIds(left.id, right.id);",
    instead: "return right.at - left.at || compareIds(right.id, left.id);",
    killedBy: {
      test: "test/scenarios/workers-sleep.test.ts",
      because: "It takes two effects of one key: too rare for a list of seeds.",
    },
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
    text: "if (isLeftOver(context, review)) comeBackFor(context, await discard(context, review));",
    instead: "if (isLeftOver(context, review)) continue;",
    killedBy: {
      test: "test/scenarios/reviews-on-a-forge.test.ts",
      because: "a submission has to fail half-way with remarks in it, which happens in one life of thousands",
    },
  },
  {
    name: "sha-on-merge",
    why: "What is merged is what was pushed a moment ago, which nobody has read or approved.",
    file: "src/act/ensure-merged.ts",
    text: "forge.merge({ pull: context.ref, head, ...(isHandedOver ? { isHandedOver } : {}) });",
    instead: "forge.merge({ pull: context.ref, head: (await forge.fetchPull(context.ref)).pull.head.sha });",
    killedBy: {
      test: "test/simulation/guards/crank.test.ts",
      because: "The push has to come in the moment between the last look and the merge.",
    },
  },
  {
    name: "deleted-managed-comment-is-waited-for",
    why: "A comment that the forge does not show yet is taken for deleted, and written again.",
    file: "src/act/ensure-managed-comment.ts",
    text: 'if (context.askedAt < shownAt) return { kind: "wait", at: shownAt };',
    instead: "",
    killedBy: {
      test: "test/scenarios/stale-reads.test.ts",
      because:
        "A second managed comment is blanked by the next look, so that it is gone before anything is judged at rest.",
    },
  },
  {
    name: "notes-kept-on-the-pull",
    why: "With the database everything is lost that no comment of its own carries: commands are obeyed again.",
    file: "src/reconcile/tick.ts",
    text: "const notes = areNotesDue ? await keepNotes(pullContext) : null;",
    instead: "const notes = areNotesDue ? null : await keepNotes(pullContext);",
    killedBy: {
      test: "test/scenarios/attacks-on-the-crank-memory.test.ts",
      because: "Marks keep Drover from saying things twice without its notes too.",
    },
  },
];
