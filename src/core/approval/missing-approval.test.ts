import { describe, expect, it } from "vitest";
import { type Approval, deriveApproval } from "#core/approval/approval.ts";
import { codeOwnersBytesMax, codeOwnersLinesMax } from "#core/approval/code-owners.ts";
import type { Account } from "#core/model/account.ts";
import type { CodeOwnersSeen } from "#core/model/code-owners-seen.ts";
import { alice, anInput, aReactionAt, aReviewAt, author, bob, carol, outsider } from "#testing/approval-makers.ts";

describe("the number of approvals", () => {
  it("is of distinct people: approving in two ways is one approval", () => {
    const reactions = [aReactionAt("+1", alice, 5)];
    const reviews = [aReviewAt("approved", alice, 6)];
    const approval = deriveApproval(anInput({ reactions, reviews, approval: { approvalsMin: 2 } }));
    expect(approval).toMatchObject({ status: "pending", missing: [{ kind: "approvals", more: 1 }] });
    expect(approval.counted).toMatchObject([{ protocol: "emoji" }]);
    expect(approval.ignored).toMatchObject([{ protocol: "reviews", why: "same_person" }]);
    expect(approval.toRecord).toHaveLength(2);
  });

  it("is reached when as many may approve and do", () => {
    const reactions = [aReactionAt("+1", alice, 5)];
    const reviews = [aReviewAt("approved", bob, 6)];
    const approval = deriveApproval(anInput({ reactions, reviews, approval: { approvalsMin: 2 } }));
    expect(approval).toMatchObject({ status: "approved", missing: [], why: { kind: "enough_approvals", given: 2 } });
  });
});

function owned(
  file: string | null,
  changedPaths: readonly string[],
  approvers: readonly Account[],
  told: Parameters<typeof anInput>[0] = {},
): Approval {
  const reactions = approvers.map((account, index) => aReactionAt("+1", account, index + 1));
  const approval = { requiresCodeOwners: true };
  const codeOwners: CodeOwnersSeen = file === null ? { kind: "none" } : { kind: "file", text: file };
  return deriveApproval(anInput({ codeOwners, changedPaths, reactions, approval, ...told }));
}

describe("code owners", () => {
  it("are asked for each changed path that has owners", () => {
    const file = "/src/ @alice @carol\n/docs/ @bob";
    const paths = ["src/a.ts", "docs/b.md", "README", "src/c.ts"];
    expect(owned(file, paths, [alice, bob]).status).toBe("approved");
    expect(owned(file, paths, [carol])).toMatchObject({
      status: "pending",
      missing: [{ kind: "code_owners", owners: [{ kind: "person", login: "bob" }], paths: ["docs/b.md"] }],
    });
  });

  it("are named once for each set of owners, however it is written", () => {
    const file = "/a @Alice @bob\n/b @bob @alice\n/c @carol";
    const { missing } = owned(file, ["b", "c", "a", "a"], []);
    expect(missing).toMatchObject([
      { kind: "approvals" },
      { kind: "code_owners", paths: ["a", "b"] },
      { kind: "code_owners", paths: ["c"] },
    ]);
  });

  it("are found by login without regard to case, and by team", () => {
    expect(owned("* @ALICE", ["a"], [alice]).status).toBe("approved");
    const teams = [{ name: "Org/Core", members: [alice.id] }];
    expect(owned("* @org/core", ["a"], [alice], { teams }).status).toBe("approved");
    expect(owned("* @org/core", ["a"], [bob], { teams }).status).toBe("pending");
    expect(owned("* @org/other", ["a"], [alice], { teams }).status).toBe("pending");
  });

  it("by e-mail are never satisfied by anybody's login, and named as missing", () => {
    const { status, missing } = owned("* alice@example.org", ["a"], [alice]);
    expect(status).toBe("pending");
    expect(missing).toMatchObject([{ owners: [{ kind: "email", address: "alice@example.org" }] }]);
    expect(owned("* alice@example.org @alice", ["a"], [alice]).status).toBe("approved");
  });

  it("count only with an approval that counts", () => {
    expect(owned("* @outsider", ["a"], [outsider, alice]).status).toBe("pending");
    expect(owned("* @author", ["a"], [author, alice]).status).toBe("pending");
  });

  it("are cleared by a later rule without owners", () => {
    expect(owned("* @bob\n/gen/", ["gen/a"], [alice]).status).toBe("approved");
  });

  it("are never satisfied while the list of changed paths is cut", () => {
    const told = { limitsReached: ["changedPathsMax"] as const };
    expect(owned("* @alice", ["a"], [alice], told)).toMatchObject({
      status: "pending",
      missing: [{ kind: "changed_paths_cut" }],
    });
    const approval = deriveApproval(anInput({ ...told, reactions: [aReactionAt("+1", alice, 1)] }));
    expect(approval.status).toBe("approved");
  });

  it("are never satisfied while the forge lists no changed path", () => {
    expect(owned("* @alice", [], [alice]).missing).toEqual([{ kind: "changed_paths_empty" }]);
  });

  it("are never satisfied where the file is too large to be read", () => {
    const file = `* @alice\n${"#".repeat(codeOwnersBytesMax)}`;
    expect(owned(file, ["a"], [alice]).missing).toEqual([{ kind: "code_owners_unknown", why: "too_large" }]);
  });

  it("are never satisfied where the file has too many lines", () => {
    const file = `* @alice\n${"\n".repeat(codeOwnersLinesMax)}`;
    expect(owned(file, ["a"], [alice]).missing).toEqual([{ kind: "code_owners_unknown", why: "too_much_work" }]);
  });

  it("are never satisfied where it takes too long to hold the file against the change", () => {
    const file = `* @alice\n${"*a*a*a*a*a*b @bob\n".repeat(30_000)}`;
    const paths = Array.from({ length: 300 }, (_, index) => `${"a".repeat(40)}${index}`);
    expect(owned(file, paths, [alice]).missing).toEqual([{ kind: "code_owners_unknown", why: "too_much_work" }]);
  });

  it.each(["git_failed", "git_timed_out", "commit_missing", "link"] as const)(
    "are never satisfied where nobody could tell whether there is a file: %s",
    (why) => {
      const told = { codeOwners: { kind: "unknown", why } } as const;
      expect(owned(null, ["a"], [alice], told).missing).toEqual([{ kind: "code_owners_unknown", why }]);
    },
  );

  it("are never satisfied where nobody has looked", () => {
    const told = { codeOwners: { kind: "not_asked" } } as const;
    expect(owned(null, ["a"], [alice], told).missing).toEqual([{ kind: "code_owners_unknown", why: "not_asked" }]);
  });

  it("ask for nothing where there is no file, or they are not required", () => {
    expect(owned(null, ["a"], [alice]).status).toBe("approved");
    const told = { approval: { requiresCodeOwners: false } };
    expect(owned("* @bob", ["a"], [alice], told).status).toBe("approved");
  });

  it("tell of lines that could not be read", () => {
    expect(owned("* @alice\n!a @bob", ["a"], [alice]).invalidOwnerLines).toEqual([{ line: 2, why: "negation" }]);
  });
});

it("a pull is never approved while the list of reviews is cut, since an objection may be beyond the cut", () => {
  const reactions = [aReactionAt("+1", alice, 1)];
  const approval = deriveApproval(anInput({ reactions, limitsReached: ["reviewsMax"] }));
  expect(approval).toMatchObject({ status: "pending", missing: [{ kind: "reviews_cut" }] });
});
