import { describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { openTown, pushTo, type Town } from "./town.ts";

function mergeabilityOf({ drover, pull }: Town): Promise<string> {
  return drover.fetchPull(pull).then(({ pull: { mergeability } }) => mergeability.kind);
}

/** The base changes what the pull changes. */
async function makeConflict({ people, repository }: Town): Promise<void> {
  await people.mia.push({ repository, branch: "main", changes: { "a.txt": "one\nzwei\nthree\n" }, message: "Main" });
}

describe.each(["github", "gitea"] as const)("a merge in the manner of %s", (manner) => {
  it("is put off just after a push, until the forge knows", async () => {
    const town = await openTown(manner, { mergeabilityDelayMs: 3 * secondMs });
    const { drover, pull } = town;
    const head = await pushTo(town, "b.txt");
    expect(await mergeabilityOf(town)).toBe("unknown");
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    town.pass(3 * secondMs);
    expect(await mergeabilityOf(town)).toBe("mergeable");
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is possible at once with the quirk off", async () => {
    const town = await openTown(manner, { mergeabilityDelayMs: 0 });
    const head = await pushTo(town, "b.txt");
    expect(await town.drover.merge({ pull: town.pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is put off after the base moved, too", async () => {
    const town = await openTown(manner, { mergeabilityDelayMs: 3 * secondMs });
    const { people, repository, drover, pull, head } = town;
    await people.mia.push({ repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    expect(await mergeabilityOf(town)).toBe("unknown");
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    town.pass(3 * secondMs);
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is refused with a conflict in the same words", async () => {
    const town = await openTown(manner);
    await makeConflict(town);
    town.pass(60 * secondMs);
    expect(await mergeabilityOf(town)).toBe("conflicting");
    const outcome = await town.drover.merge({ pull: town.pull, head: town.head });
    expect(outcome).toMatchObject({ kind: "not_now" });
    expect(town.sandbox.look(town.pull).merged).toBeNull();
    await expect(town.people.mia.merge(town.pull)).rejects.toThrow("try again later");
  });

  it("is of exactly the head that was named, or of none", async () => {
    const town = await openTown(manner);
    await pushTo(town, "b.txt");
    town.pass(60 * secondMs);
    expect(await town.drover.merge({ pull: town.pull, head: town.head })).toEqual({ kind: "head_moved" });
    expect(town.sandbox.look(town.pull).merged).toBeNull();
  });

  it("leaves a commit with both parents on the base, and moves other pulls' base", async () => {
    const town = await openTown(manner);
    const { people, repository, drover, pull, head, sandbox } = town;
    await people.ada.push({ repository, branch: "other", changes: { "o.txt": "o\n" }, message: "Other" });
    const other = await people.ada.openPull({ repository, branch: "other", base: "main", title: "Other", body: "" });
    town.pass(60 * secondMs);
    const outcome = await drover.merge({ pull, head });
    if (outcome.kind !== "merged") throw new Error(outcome.kind);
    expect(sandbox.look(pull)).toMatchObject({ merged: { head, commit: outcome.commit }, pull: { state: "merged" } });
    expect((await drover.fetchPull(other)).pull.mergeability.kind).toBe("unknown");
    const kinds = sandbox.history.slice(-2).map(({ what }) => what.kind);
    expect(kinds).toEqual(["merged", "pushed"]);
  });

  it("is not for drafts, closed pulls, merged ones, or readers", async () => {
    const town = await openTown(manner);
    const { people, drover, pull, head, sandbox, accounts } = town;
    const otto = sandbox.clientOf(accounts.otto);
    await expect(otto.merge({ pull, head })).rejects.toMatchObject({ kind: "forbidden", isApplied: "no" });
    await people.ada.editPull(pull, { isDraft: true });
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    await people.ada.editPull(pull, { isDraft: false, state: "closed" });
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    await people.ada.editPull(pull, { state: "open" });
    await people.mia.merge(pull);
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    expect(sandbox.history.filter(({ what }) => what.kind === "merged")).toHaveLength(1);
  });
});
