import type { Guard } from "./guard.ts";

const flightPlan = "src/core/derive/flight-plan.ts";

/** What is said about a head, and what stands between it and the merge. */
export const mergeGuards: readonly Guard[] = [
  {
    name: "merge-by-what-was-just-read",
    why: "A run that stood still merges a pull into a base branch that it was pointed at since.",
    file: "src/act/ensure-merged.ts",
    text: "clock.now() > after(context.askedAt, durations.leaseMs)",
    instead: "false",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because: "A one-shot run has to stand still between its look and its merge: one seed of some 50,000.",
    },
  },
  {
    name: "merge-needs-approval",
    why: "It is merged without anybody having approved it.",
    file: flightPlan,
    text: "    isApproved(context.approval),\n",
    instead: "",
  },
  {
    name: "merge-needs-the-gate",
    why: "It is merged with an open blocker, or unread.",
    file: flightPlan,
    text: "    passesGate(context.gate, context.review),\n",
    instead: "",
  },
  {
    name: "merge-needs-checks",
    why: "It is merged with red checks.",
    file: flightPlan,
    text: "    passesChecks(seen, context.heads),\n",
    instead: "",
  },
  {
    name: "no-check-is-not-green",
    why: "It is merged before the checks of a new head have begun.",
    file: flightPlan,
    text: "const isGreen = checks.length > 0 && failed.length === 0",
    instead: "const isGreen = failed.length === 0",
    killedBy: {
      test: "test/scenarios/merging.test.ts",
      because: "Checks have to be late by longer than the approval, on a pull that lacks nothing else.",
    },
  },
  {
    name: "draft-is-not-read",
    why: "A draft is read and paid for with every push.",
    file: "src/core/derive/review-need.ts",
    text: 'if (seen.pull.isDraft) return { kind: "not_wanted", why: "draft" };',
    instead: "",
  },
  {
    name: "gate-green-only-when-read-whole",
    why: "The gate is green although parts were never read.",
    file: "src/core/derive/gate.ts",
    text: 'if (isRead && roles.every(isReadWhole)) return { head, state: "success" };',
    instead: 'if (isRead) return { head, state: "success" };',
  },
  {
    name: "gate-wants-every-role",
    why: "The gate is green when the first of several roles is through.",
    file: "src/core/derive/gate.ts",
    text: 'const isRead = roles.length > 0 && roles.every((role) => role.kind === "completed");\n  if (isRead && roles.every(isReadWhole))',
    instead:
      'const isRead = roles.some((role) => role.kind === "completed");\n  if (isRead && roles.some(isReadWhole))',
  },
  {
    name: "gate-red-on-blockers",
    why: "The gate is green with an open blocker.",
    file: "src/core/derive/gate.ts",
    text: 'if (blockers.length > 0) return { head, state: "failure", why: "blockers", count: blockers.length };',
    instead: "",
  },
  {
    name: "author-does-not-waive-reviews",
    why: "An author switches reviews off and the gate lets the pull pass.",
    file: "src/core/derive/gate.ts",
    text: 'return suppression.source.kind === "repository" || suppression.source.isWriter;',
    instead: "return true;",
  },
  {
    name: "blocker-requests-changes",
    why: "A review approves with an open blocker in it.",
    file: "src/core/review/verdict.ts",
    text: 'if (role.findings.some(isOpenBlocker)) return "request_changes";',
    instead: "",
  },
  {
    name: "only-a-complete-look-approves",
    why: "A review approves what it has not read.",
    file: "src/core/review/verdict.ts",
    text: 'return isComplete(role.coverage) ? "approve" : "comment";',
    instead: 'return "approve";',
  },
  {
    name: "hole-in-the-coverage",
    why: "A file that nobody could read counts as read.",
    file: "src/core/review/coverage.ts",
    text: "return namesFiles(coverage) && coverage.isSwayed !== true && !coverage.unread.some(isHole);",
    instead: "return namesFiles(coverage);",
  },
  {
    name: "look-is-for-its-base",
    why: "What was read against one branch counts as read against another.",
    file: "src/core/derive/review-need.ts",
    text: "return seen.records.runs.filter((run) => run.head === sha && run.baseBranch === baseBranch);",
    instead: "return seen.records.runs.filter((run) => run.head === sha);",
  },
  {
    name: "worst-verdict-wins",
    why: "One role's approval outweighs the other's request for changes, since they share an account.",
    file: "src/core/review/review-update.ts",
    text: 'if (verdict !== "request_changes" && siblings.some(requestsChanges)) {',
    instead: "if (false) {",
  },
  {
    name: "approval-waits-for-siblings",
    why: "The account approves, and a minute later its second role finds the blocker.",
    file: "src/core/review/review-update.ts",
    text: 'if (submission.event === "approve" && unfinished.length > 0) return waitFor(role, unfinished);',
    instead: "",
  },
  {
    name: "outgoing-calls-nobody",
    why: "Text of a model commands the bot itself, and calls people at will.",
    file: "src/core/words/outgoing.ts",
    text: "return neutralise(neutraliseMentions(neutraliseBlocks(text), { except: [] }), handle);",
    instead: "return neutraliseBlocks(text);",
  },
];
