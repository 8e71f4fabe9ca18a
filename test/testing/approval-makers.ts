import { reactionSignalId, reviewSignalId } from "#core/approval/account-signals.ts";
import type { ApprovalInput } from "#core/approval/approval-input.ts";
import type { Account, Permission, PermissionOf } from "#core/model/account.ts";
import { type Reaction, Review } from "#core/model/conversation.ts";
import { AccountId, type HeadSha, PatchId } from "#core/model/ids.ts";
import { hourMs, type Instant, instant, secondMs } from "#core/model/instant.ts";
import { type HeadSeen, Pull } from "#core/model/pull.ts";
import type { ApprovalRecord } from "#core/model/records.ts";
import { type ApprovalRules, Rules } from "#core/model/rules.ts";
import { drover, otherBot, sha } from "#testing/makers.ts";

/** Small makers for the tests of this folder. Times are seconds after the first head stood. */

export function atSecond(seconds: number): Instant {
  return instant(1_767_000_000_000 + seconds * secondMs);
}

export function aPerson(login: string): Account {
  return { id: AccountId.parse(`id-of-${login}`), login, kind: "person" };
}

export const [author, alice, bob, carol, outsider, stranger] = [
  aPerson("author"),
  aPerson("alice"),
  aPerson("bob"),
  aPerson("carol"),
  aPerson("outsider"),
  aPerson("stranger"),
];

export function aReactionAt(content: Reaction["content"], account: Account, seconds: number): Reaction {
  return { content, author: account, createdAt: atSecond(seconds) };
}

export function aReviewAt(
  state: Review["state"],
  account: Account,
  seconds: number,
  told: { readonly id?: string; readonly commit?: HeadSha } = {},
): Review {
  const id = told.id ?? `${account.login}-${seconds}`;
  return Review.parse({
    id,
    author: account,
    state,
    body: "",
    submittedAt: atSecond(seconds),
    commit: told.commit ?? null,
  });
}

export function aHeadAt(
  number: number,
  seconds: number,
  told: { readonly base?: string; readonly patch?: string } = {},
): HeadSeen {
  const patch = told.patch === undefined ? null : PatchId.parse(told.patch);
  return { sha: sha(number), baseBranch: told.base ?? "main", since: atSecond(seconds), patch };
}

/** The record that Drover would have made of this approval while the given head stood. */
export function aRecord(signal: Reaction | Review, head: number, base = "main"): ApprovalRecord {
  const given =
    "content" in signal
      ? { signal: reactionSignalId(signal), at: signal.createdAt }
      : { signal: reviewSignalId(signal), at: signal.submittedAt };
  return { account: signal.author.id, ...given, head: sha(head), baseBranch: base };
}

export function aPullAt(
  head: number,
  base: string,
  told: { readonly pushedAt?: Instant; readonly baseSince?: Instant } = {},
): Pull {
  return Pull.parse({
    repository: { id: "r1", name: "o/r" },
    number: 7,
    title: "",
    body: "",
    bodyEdits: [],
    author,
    createdAt: atSecond(-10),
    state: "open",
    isDraft: false,
    head: { sha: sha(head), branch: "topic", isFork: false, pushedAt: told.pushedAt ?? null, patch: null },
    base: { branch: base, since: told.baseSince ?? null },
    labels: [],
    mergeability: { kind: "mergeable" },
    requestedReviewers: [],
  });
}

export function permission(account: Account, granted: Permission): PermissionOf {
  return { account: account.id, permission: granted };
}

/**
 * A pull whose head 1 stands since second 0, seen at second 1000: alice, bob and carol may write, the outsider may not, and
 * of the stranger the forge will not tell. The author and both bots could write, and must not approve all the same.
 */
export function anInput(
  told: Partial<Omit<ApprovalInput, "rules">> & {
    readonly approval?: Partial<ApprovalRules>;
    readonly trustedBots?: readonly AccountId[];
  } = {},
): ApprovalInput {
  const { approval, trustedBots, ...seen } = told;
  const heads = seen.heads ?? [aHeadAt(1, 0)];
  return {
    observedAt: atSecond(1000),
    bot: drover,
    pull: aPullAt(1, "main"),
    rules: Rules.parse({ trustedBots, approval: { timeoutMs: hourMs, ...approval } }),
    reviews: [],
    reactions: [],
    permissions: [
      ...[author, alice, bob, drover, otherBot].map((account) => permission(account, "write")),
      permission(carol, "admin"),
      permission(outsider, "read"),
      permission(stranger, "undetermined"),
    ],
    teams: [],
    changedPaths: [],
    codeOwners: { kind: "not_asked" },
    limitsReached: [],
    records: [],
    readySince: null,
    feedback: [],
    ...seen,
    heads,
  };
}
