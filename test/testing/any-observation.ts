import * as fc from "fast-check";
import type { Account } from "#core/model/account.ts";
import type { Comment, Reaction, Review } from "#core/model/conversation.ts";
import { CommentId, FindingId, ReviewId, ThreadId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { RunState } from "#core/model/records.ts";
import {
  ada,
  aFinding,
  aHead,
  anObservation,
  aPull,
  aReview,
  aRun,
  at,
  drover,
  mia,
  otherBot,
  otto,
  rita,
  sha,
  someRecords,
  someRules,
  text,
} from "#testing/makers.ts";

/** Observations of all kinds, sensible and not: whatever a property says must hold for each of them. */

const minutes = fc.integer({ min: 0, max: 120 });
const anySha = fc.integer({ min: 1, max: 4 }).map(sha);
const anyPerson: fc.Arbitrary<Account> = fc.constantFrom(ada, rita, mia, otto, otherBot, drover);

/** Words that people say, and words that somebody says who wants to break something. */
const anyWords: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "@drover review",
        "@drover cancel",
        "@drover enable-reviews",
        "@drover disable-reviews",
        "@drover disable-reviews for 45m",
        "@drover merge",
        "@drover hold",
        "@drover unhold",
        "@drover fix upto:$3 10m",
        "@drover stop-fixing",
        "@drover status",
        "@drover help",
      ),
      fc.constantFrom(
        "@drover what is this for?",
        "@Drover: disable-reviews for banana",
        "@drover-x review",
        "`@drover merge`",
        "> @drover merge",
        "```",
        "~~~",
        "<!--",
        "-->",
        "`",
        "</details>",
        "```rmcoc",
        "![x](https://example.org/x.png)",
        "a | b",
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 4 },
  )
  .chain((parts) => fc.constantFrom("\n", "\r\n", " ").map((glue) => parts.join(glue)));

const anyComment: fc.Arbitrary<Comment> = fc.record({
  id: fc.integer({ min: 1, max: 30 }).map((id) => CommentId.parse(String(id))),
  author: anyPerson,
  body: anyWords.map(text),
  createdAt: minutes.map(at),
  editedAt: fc.option(minutes.map(at)),
});

const anyReview: fc.Arbitrary<Review> = fc
  .record({
    id: fc.integer({ min: 1, max: 20 }).map((id) => ReviewId.parse(String(id))),
    author: anyPerson,
    state: fc.constantFrom("approved", "changes_requested", "commented", "dismissed", "pending"),
    submittedAt: minutes.map(at),
    commit: fc.option(anySha),
    body: anyWords.map(text),
  })
  .map((over): Review => ({ ...aReview(1, ada, "commented", 0), ...over }));

const anyReaction: fc.Arbitrary<Reaction> = fc.record({
  author: anyPerson,
  content: fc.constantFrom("+1", "eyes", "heart"),
  createdAt: minutes.map(at),
});

const findingIds = ["f1", "f2", "f3"];

const anyFinding = fc
  .record({
    message: anyWords.map((words) => words || "Something."),
    assessment: anyWords,
    path: fc.oneof(
      fc.constant("src/parser.ts"),
      anyWords.map((words) => words || "x"),
    ),
    suggestion: fc.option(anyWords),
    isBlocking: fc.boolean(),
    role: fc.constantFrom("general", "security"),
    thread: fc.option(fc.constantFrom("t1", "t2").map((id) => ThreadId.parse(id))),
    state: fc.constantFrom(
      { kind: "open" },
      { kind: "disputed" },
      { kind: "escalated" },
      { kind: "resolved", resolution: { how: "fixed", head: sha(2) } },
      { kind: "resolved", resolution: { how: "waived", by: "mia", head: sha(1) } },
    ),
  } as const)
  .map((over) => over);

const anyRunState: fc.Arbitrary<RunState> = fc.oneof(
  fc.constantFrom<RunState>(
    { kind: "running" },
    { kind: "interrupted" },
    { kind: "cancelled", by: "command" },
    { kind: "cancelled", by: "newer_head" },
  ),
  fc.record({
    kind: fc.constant("failed" as const),
    attempts: fc.integer({ min: 1, max: 4 }),
    why: anyWords,
    retryAt: minutes.map(at),
  }),
  fc.record({
    kind: fc.constant("completed" as const),
    at: minutes.map(at),
    coverage: fc.record({
      filesRead: fc.integer({ min: 0, max: 3 }),
      unread: fc.array(
        fc.record({
          path: fc.constant("big.bin"),
          why: fc.constantFrom("size", "binary", "generated", "excluded", "budget"),
        }),
        { maxLength: 2 },
      ),
    }),
    findings: fc.subarray(findingIds).map((ids) => ids.map((id) => FindingId.parse(id))),
    summary: anyWords,
  }),
);

const anyRun = fc
  .record({
    head: anySha,
    baseBranch: fc.constantFrom("main", "next"),
    role: fc.constantFrom("general", "security"),
    trigger: fc.oneof(
      fc.constant({ kind: "automatic" as const }),
      anyComment.map((comment) => ({ kind: "manual" as const, comment: comment.id, by: comment.author.id })),
    ),
    state: anyRunState,
    startedAt: minutes.map(at),
    round: fc.integer({ min: 1, max: 3 }),
  })
  .map((over) => aRun(over));

const anyHeads: fc.Arbitrary<readonly HeadSeen[]> = fc.uniqueArray(
  fc
    .record({ sha: anySha, baseBranch: fc.constantFrom("main", "next"), since: minutes.map(at) })
    .map((over) => aHead(over)),
  { selector: (head) => head.since, maxLength: 4 },
);

const anyRules = fc
  .record({
    automatic: fc.constantFrom("enabled", "disabled"),
    roles: fc.constantFrom(["general"], ["general", "security"]),
    protocols: fc.constantFrom("emoji", "reviews", "both"),
    when: fc.constantFrom("never", "on_command", "when_approved"),
    onFeedback: fc.boolean(),
    partialGate: fc.constantFrom("pending", "neutral"),
  } as const)
  .map(({ automatic, roles, protocols, when, onFeedback, partialGate }) =>
    someRules({
      reviews: { automatic, partialGate, roles: roles.map((name) => ({ name, reviewer: "rules" })) },
      approval: { protocols },
      fix: { onFeedback },
      merge: { when },
    }),
  );

const anyPull = fc
  .record({
    body: anyWords.map(text),
    isDraft: fc.boolean(),
    state: fc.constantFrom("open", "open", "open", "closed", "merged"),
    head: anySha,
    branch: fc.constantFrom("main", "main", "next"),
    mergeability: fc.constantFrom("mergeable", "mergeable", "unknown", "conflicting"),
  } as const)
  .map(({ head, branch, mergeability, ...over }) =>
    aPull({
      ...over,
      head: { ...aPull().head, sha: head },
      base: { branch, since: at(0) },
      mergeability: { kind: mergeability },
    }),
  );

export const anyObservation: fc.Arbitrary<Observation> = fc
  .record({
    rules: anyRules,
    pull: anyPull,
    comments: fc.uniqueArray(anyComment, { selector: ({ id }) => id, maxLength: 8 }),
    reviews: fc.uniqueArray(anyReview, { selector: ({ id }) => id, maxLength: 5 }),
    reactions: fc.uniqueArray(anyReaction, {
      selector: ({ author, content, createdAt }) => `${author.id} ${content} ${createdAt}`,
      maxLength: 5,
    }),
    heads: anyHeads,
    runs: fc.uniqueArray(anyRun, {
      selector: ({ head, baseBranch, role, trigger }) => JSON.stringify([head, baseBranch, role, trigger]),
      maxLength: 5,
    }),
    findings: fc.tuple(anyFinding, anyFinding, anyFinding),
    checks: fc.constantFrom<"passed" | "failed" | "pending" | "none">("passed", "passed", "failed", "pending", "none"),
    spentMicroUsd: fc.integer({ min: 0, max: 5_000_000 }),
  })
  .map(({ heads, runs, findings, checks, spentMicroUsd, ...over }) =>
    anObservation({
      ...over,
      observedAt: at(130),
      checks:
        checks === "none"
          ? []
          : [{ name: "build", source: "ci", head: over.pull.head.sha, state: checks, startedAt: null }],
      records: someRecords({
        heads,
        runs,
        spentMicroUsd,
        findings: findings.map((finding, index) => aFinding(findingIds[index] ?? "f", finding)),
      }),
    }),
  );
