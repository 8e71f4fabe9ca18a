import type { z } from "zod";
import type { Account, Permission } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { Check, Comment, Reaction, Review, Thread } from "#core/model/conversation.ts";
import type { Finding } from "#core/model/finding.ts";
import {
  AccountId,
  CommentId,
  FindingId,
  HeadSha,
  InstanceId,
  PatchId,
  RepositoryId,
  ReviewId,
  ThreadId,
  Untrusted,
} from "#core/model/ids.ts";
import { type Instant, instant, minuteMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen, Pull } from "#core/model/pull.ts";
import { Records, type ReviewRun } from "#core/model/records.ts";
import { Rules } from "#core/model/rules.ts";
import type { Log } from "#ports/log.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

/** Small makers of test data: everything has a sensible value, the test names only what it is about. */

/** Minutes after the pull was opened: `at(0)` is its creation. */
export function at(minutes: number): Instant {
  return instant(1_767_258_000_000 + Math.round(minutes * minuteMs));
}

export function sha(number: number): HeadSha {
  return HeadSha.parse(number.toString(16).padStart(4, "0").padEnd(40, "a"));
}

/** Says nothing to nobody. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Most tests have one repository and one pull in it, and mean no particular one. */
export const someRepository: RepositoryRef = { id: RepositoryId.parse("7"), name: "acme/tools" };
export const somePull: PullRef = { repository: someRepository, number: 12 };

export function patch(name: string): PatchId {
  return PatchId.parse(name);
}

function account(login: string, kind: Account["kind"] = "person"): Account {
  return { id: AccountId.parse(`id-${login}`), login, kind };
}

/** The cast: ada wrote the pull, rita may write, mia is a maintainer, otto is nobody in particular. */
export const ada = account("ada");
export const rita = account("rita");
export const mia = account("mia");
export const otto = account("otto");
export const otherBot = account("other-bot", "bot");
export const drover = account("drover", "bot");

export const fullCapabilities: Capabilities = {
  mayEditReviewBodies: true,
  mayDismissReviews: true,
  mayJudgeOwnPull: false,
  mayApprove: true,
  mayResolveThreads: true,
  mayReactToReviews: true,
  tellsBodyEdits: true,
  hasNeutralGate: true,
  hasReactionEvents: false,
};

export function someRules(over: z.input<typeof Rules> = {}): Rules {
  return Rules.parse(over);
}

export function someRecords(over: Partial<Records> = {}): Records {
  return { ...Records.parse({}), ...over };
}

export function aPull(over: Partial<Pull> = {}): Pull {
  return {
    ...somePull,
    title: text("Add a parser"),
    body: text(""),
    bodyEdits: [],
    author: ada,
    createdAt: at(0),
    state: "open",
    isDraft: false,
    head: { sha: sha(1), branch: "parser", isFork: false, pushedAt: at(0), patch: null },
    base: { branch: "main", since: at(0) },
    labels: [],
    mergeability: { kind: "mergeable" },
    requestedReviewers: [],
    ...over,
  };
}

export function anObservation(over: Partial<Observation> = {}): Observation {
  return {
    observedAt: at(60),
    instance: InstanceId.parse("test"),
    isPolled: false,
    bot: drover,
    capabilities: fullCapabilities,
    rules: someRules(),
    pull: aPull(),
    comments: [],
    reviews: [],
    threads: [],
    reactions: [],
    checks: [],
    permissions: permissions({ ada: "read", rita: "write", mia: "admin", otto: "read" }),
    teams: [],
    changedPaths: ["src/parser.ts"],
    codeOwners: { kind: "not_asked" },
    gate: null,
    managedComment: null,
    records: someRecords({ heads: [aHead()] }),
    signedReviews: [],
    refusedBlocks: [],
    limitsReached: [],
    ...over,
  };
}

export function permissions(of: Readonly<Record<string, Permission>>): Observation["permissions"] {
  return Object.entries(of).map(([login, permission]) => ({ account: account(login).id, permission }));
}

export function aHead(over: Partial<HeadSeen> = {}): HeadSeen {
  return { sha: sha(1), baseBranch: "main", since: at(0), patch: null, ...over };
}

export function text(words: string): Untrusted {
  return Untrusted.parse(words);
}

export function aComment(id: number | string, author: Account, words: string, minutes: number): Comment {
  return { id: CommentId.parse(String(id)), author, body: text(words), createdAt: at(minutes), editedAt: null };
}

export function aThread(id: number | string, comments: readonly Comment[], over: Partial<Thread> = {}): Thread {
  return {
    id: ThreadId.parse(`t${id}`),
    path: "src/parser.ts",
    line: 3,
    remarked: null,
    isResolved: false,
    comments,
    ...over,
  };
}

export function aReview(id: number, author: Account, state: Review["state"], minutes: number): Review {
  return { id: ReviewId.parse(String(id)), author, state, body: text(""), submittedAt: at(minutes), commit: null };
}

export function aReaction(author: Account, content: Reaction["content"], minutes: number): Reaction {
  return { author, content, createdAt: at(minutes) };
}

export function aCheck(state: Check["state"], over: Partial<Check> = {}): Check {
  return { name: "build", source: "ci", head: sha(1), state, startedAt: null, ...over };
}

export function aRun(over: Partial<ReviewRun> = {}): ReviewRun {
  return {
    head: sha(1),
    baseBranch: "main",
    role: "general",
    trigger: { kind: "automatic" },
    round: 1,
    state: {
      kind: "completed",
      at: at(5),
      coverage: { filesRead: 1, unread: [] },
      findings: [],
      summary: "Looks fine.",
    },
    startedAt: at(1),
    ...over,
  };
}

export function aFinding(id: string, over: Partial<Finding> = {}): Finding {
  return {
    id: FindingId.parse(id),
    role: "general",
    rule: "leaked-secret",
    path: "src/parser.ts",
    side: "new",
    lines: { first: 3, last: 3 },
    snippet: 'const key = "hunter2";',
    message: "This looks like a secret.",
    assessment: "",
    score: 8,
    suggestion: null,
    isBlocking: true,
    head: sha(1),
    round: 1,
    state: { kind: "open" },
    thread: null,
    foundAt: at(5),
    ...over,
  };
}
