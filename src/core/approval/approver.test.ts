import { describe, expect, it } from "vitest";
import { type ApproverStanding, approversOf } from "#core/approval/approver.ts";
import { membersByTeam } from "#core/approval/team-members.ts";
import type { Account } from "#core/model/account.ts";
import {
  alice,
  anInput,
  aPerson,
  author,
  bob,
  carol,
  outsider,
  permission,
  stranger,
} from "#testing/approval-makers.ts";
import { drover, otherBot } from "#testing/makers.ts";

function standingOf(account: Account, input = anInput()): ApproverStanding {
  return approversOf(input, membersByTeam(input.teams))(account);
}

describe("the check of an approver without a list", () => {
  it.each([alice, carol])("lets $login approve, who may write", (account) => {
    expect(standingOf(account)).toBe("permitted");
  });

  it("refuses who may only read", () => expect(standingOf(outsider)).toBe("not_permitted"));

  it("refuses whose permission the forge would not tell, or nobody asked for, and says so", () => {
    expect(standingOf(stranger)).toBe("undetermined_permission");
    expect(standingOf(aPerson("nobody"))).toBe("undetermined_permission");
  });

  it("does not know the permission of an account about which two answers contradict each other", () => {
    const permissions = [permission(alice, "write"), permission(alice, "none")];
    expect(standingOf(alice, anInput({ permissions }))).toBe("undetermined_permission");
    expect(standingOf(alice, anInput({ permissions: permissions.reverse() }))).toBe("undetermined_permission");
  });

  it("refuses the author of the pull, by id and not by name", () => {
    expect(standingOf(author)).toBe("own_pull");
    expect(standingOf({ ...author, login: "renamed" })).toBe("own_pull");
    expect(standingOf({ ...alice, login: author.login })).toBe("permitted");
  });

  it("refuses its own account by id, even if the forge calls it a person and the operator trusts it", () => {
    const trustedBots = [drover.id];
    expect(standingOf({ ...drover, kind: "person", login: "x" }, anInput({ trustedBots }))).toBe("bot");
  });

  it("refuses other bots unless they are trusted by id, and then asks for their permission", () => {
    expect(standingOf(otherBot)).toBe("bot");
    expect(standingOf(otherBot, anInput({ trustedBots: [otherBot.id] }))).toBe("permitted");
    const permissions = [permission(otherBot, "read")];
    expect(standingOf(otherBot, anInput({ trustedBots: [otherBot.id], permissions }))).toBe("not_permitted");
  });
});

describe("the check of an approver against a list", () => {
  const approvers = {
    kind: "listed",
    people: ["Outsider", "author", "drover", "other-bot"],
    teams: ["Org/Core"],
  } as const;
  const teams = [{ name: "org/core", members: [bob.id] }];
  const input = anInput({ approval: { approvers }, teams });

  it("refuses who is not on the list, and who is on it but may not write: a login can be taken over", () => {
    expect(standingOf(alice, input)).toBe("not_permitted");
    expect(standingOf(outsider, input)).toBe("not_permitted");
    expect(standingOf(outsider, { ...input, permissions: [permission(outsider, "write")] })).toBe("permitted");
  });

  it("takes the members of a listed team, by account id", () => {
    expect(standingOf(bob, input)).toBe("permitted");
    expect(standingOf({ ...alice, login: "bob" }, input)).toBe("not_permitted");
    expect(standingOf(bob, anInput({ approval: { approvers }, teams: [] }))).toBe("not_permitted");
  });

  it("refuses the author and bots", () => {
    expect(standingOf(author, input)).toBe("own_pull");
    expect(standingOf(drover, input)).toBe("bot");
    expect(standingOf(otherBot, input)).toBe("bot");
  });

  it("folds ASCII letters only, so that no look-alike passes for a listed login", () => {
    const people = ["kim"];
    const listed = anInput({ approval: { approvers: { kind: "listed", people, teams: [] } } });
    const kim = aPerson("KIM");
    expect(standingOf(kim, { ...listed, permissions: [permission(kim, "write")] })).toBe("permitted");
    // The Kelvin sign, which Unicode folds to "k".
    const look = aPerson("\u212Aim");
    expect(standingOf(look, { ...listed, permissions: [permission(look, "write")] })).toBe("not_permitted");
  });
});
