import type { Guard } from "./guard.ts";

/** Who approves, and what. */
export const approvalGuards: readonly Guard[] = [
  {
    name: "recorded-approval-is-for-its-head",
    why: "An approval outlives every push.",
    file: "src/core/approval/head-binding.ts",
    text: 'if (isCarried && !hasSamePatch(record, view)) return { kind: "unbound", why: "older_head" };',
    instead: "",
  },
  {
    name: "approval-older-than-the-head",
    why: "An approval of what stood before counts for what was pushed since.",
    file: "src/core/approval/head-binding.ts",
    text: 'if (signal.at <= current.since) return { kind: "unbound", why: whyTooOld(signal, seen.heads, current) };',
    instead: "",
    killedBy: {
      test: "src/core/approval/approval-head.test.ts",
      because: "Most other ways to bind an approval catch it too; it takes a forge that tells nothing else.",
    },
  },
  {
    name: "equal-second-proves-nothing",
    why: "A push in the second of the approval is taken for what was approved.",
    file: "src/core/approval/head-binding.ts",
    text: "if (signal.at <= current.since) return",
    instead: "if (signal.at < wholeSecond(current.since)) return",
    killedBy: {
      test: "src/core/approval/head-binding.test.ts",
      because: "It takes an approval and a push within one second, and a forge that tells both times.",
    },
  },
  {
    name: "approval-newer-than-the-look",
    why: "An approval of a push that the look did not show yet counts for the head before it.",
    file: "src/core/approval/head-binding.ts",
    text: 'if (signal.at >= wholeSecond(seen.observedAt)) return { kind: "unbound", why: "after_observation" };',
    instead: "",
    killedBy: {
      test: "src/core/approval/head-binding.test.ts",
      because: "One look at the simulated forge is one moment, so that no push comes into the middle of it.",
    },
  },
  {
    name: "approval-is-for-its-base",
    why: "Pointing an approved pull at another branch merges it there.",
    file: "src/core/approval/head-binding.ts",
    text: 'if (record.baseBranch !== pull.base.branch) return { kind: "unbound", why: "other_base" };',
    instead: "",
  },
  {
    name: "contradicted-record-is-not-believed",
    why: "A look that lagged has written down an approval for the wrong head, for ever.",
    file: "src/core/approval/head-binding.ts",
    text: 'if (isContradicted(record, view.seen.heads)) return { kind: "unbound", why: "older_head" };',
    instead: "",
    killedBy: {
      test: "test/scenarios/attacks.test.ts",
      because: "It takes a look that lags between a push and its approval, and a head that comes back.",
    },
  },
  {
    name: "nobody-approves-their-own",
    why: "An author with write permission merges alone.",
    file: "src/core/approval/approver.ts",
    text: 'if (account.id === seen.pull.author.id) return "own_pull";',
    instead: "",
  },
  {
    name: "bots-do-not-approve",
    why: "Two bots agree with each other, and no person has looked.",
    file: "src/core/approval/approver.ts",
    text: 'if (account.kind === "bot" && !trusted.has(account.id)) return "bot";',
    instead: "",
  },
  {
    name: "approver-needs-write",
    why: "A thumb of a passer-by merges.",
    file: "src/core/approval/approver.ts",
    text: 'return permission === "admin" || permission === "write" ? "permitted" : "not_permitted";',
    instead: 'return "permitted";',
  },
  {
    name: "objection-stands",
    why: "A pull is merged over the head of somebody who asked for changes.",
    file: "src/core/approval/approval-status.ts",
    text: "if (missing.length === 0 && objections.length === 0) {",
    instead: "if (missing.length === 0) {",
  },
  {
    name: "protocol-in-force",
    why: "A thumb approves where only formal reviews should.",
    file: "src/core/approval/approval.ts",
    text: 'if (protocols !== "both" && protocols !== signal.protocol) return "protocol_off";',
    instead: "",
  },
  {
    name: "git-trouble-is-not-no-code-owners",
    why: "A git that fails in one look reads as a repository without code owners, and the pull merges without them.",
    file: "src/observe/change.ts",
    text: 'requiresCodeOwners ? { ...unasked, codeOwners: { kind: "unknown", why } } : unasked;',
    instead: 'requiresCodeOwners ? { ...unasked, codeOwners: { kind: "none" } } : unasked;',
    killedBy: {
      test: "test/scenarios/code-owners-unknown.test.ts",
      because: "The simulation does not require code owners.",
    },
  },
  {
    name: "cut-path-list-is-told",
    why: "An owned file that sorts behind enough others is merged without its owner.",
    file: "src/observe/change.ts",
    text: 'changed.length > limits.changedPathsMax ? ["changedPathsMax"] : [];',
    instead: "[];",
    killedBy: {
      test: "test/scenarios/code-owners-unknown.test.ts",
      because: "No pull of the simulation has so many files.",
    },
  },
  {
    name: "unreadable-code-owners-are-not-none",
    why: "A CODEOWNERS file that is a link, or too large, owns nothing, and the pull merges without its owners.",
    file: "src/observe/change.ts",
    text: 'return { kind: "unknown", why: read.kind };',
    instead: "break;",
    killedBy: {
      test: "test/scenarios/code-owners-unknown.test.ts",
      because: "The simulation does not require code owners.",
    },
  },
  {
    name: "unknown-code-owners-are-missing",
    why: "What nobody could find out is taken for nothing, and the pull counts as approved.",
    file: "src/core/approval/missing-approval.ts",
    text: 'if (file.kind === "unknown") return unknownOwners(file.why);',
    instead: 'if (file.kind === "unknown") return { missing: [], invalidOwnerLines: [] };',
    killedBy: {
      test: "src/core/approval/missing-approval.test.ts",
      because: "The simulation does not require code owners.",
    },
  },
  {
    name: "code-owners-have-a-budget-of-steps",
    why: "A file of a few megabytes stops the process, and with it all other pulls, for many seconds at each look.",
    file: "src/core/approval/missing-approval.ts",
    text: "if (budget.left < 0) return undefined;",
    instead: "",
    killedBy: {
      test: "src/core/approval/missing-approval.test.ts",
      because: "The simulation does not require code owners.",
    },
  },
];
