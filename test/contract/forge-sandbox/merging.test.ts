import { describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { type Harness, openHarness, pushTo } from "./harness.ts";

function mergeabilityOf({ drover, pull }: Harness): Promise<string> {
  return drover.fetchPull(pull).then(({ pull: { mergeability } }) => mergeability.kind);
}

/** The base changes what the pull changes. */
async function makeConflict({ people, repository }: Harness): Promise<void> {
  await people.mia.push({ repository, branch: "main", changes: { "a.txt": "one\nzwei\nthree\n" }, message: "Main" });
}

describe.each(["github", "gitea"] as const)("a merge in the manner of %s", (manner) => {
  it("is put off just after a push, until the forge knows", async () => {
    const harness = await openHarness(manner, { mergeabilityDelayMs: 3 * secondMs });
    const { drover, pull } = harness;
    const head = await pushTo(harness, "b.txt");
    expect(await mergeabilityOf(harness)).toBe("unknown");
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    harness.pass(3 * secondMs);
    expect(await mergeabilityOf(harness)).toBe("mergeable");
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is possible at once with the quirk off", async () => {
    const harness = await openHarness(manner, { mergeabilityDelayMs: 0 });
    const head = await pushTo(harness, "b.txt");
    expect(await harness.drover.merge({ pull: harness.pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is put off after the base moved, too", async () => {
    const harness = await openHarness(manner, { mergeabilityDelayMs: 3 * secondMs });
    const { people, repository, drover, pull, head } = harness;
    await people.mia.push({ repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    expect(await mergeabilityOf(harness)).toBe("unknown");
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "not_now" });
    harness.pass(3 * secondMs);
    expect(await drover.merge({ pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is refused with a conflict in the same words", async () => {
    const harness = await openHarness(manner);
    await makeConflict(harness);
    harness.pass(60 * secondMs);
    expect(await mergeabilityOf(harness)).toBe("conflicting");
    const outcome = await harness.drover.merge({ pull: harness.pull, head: harness.head });
    expect(outcome).toMatchObject({ kind: "not_now" });
    expect(harness.sandbox.look(harness.pull).merged).toBeNull();
    await expect(harness.people.mia.merge(harness.pull)).rejects.toThrow("try again later");
  });

  it("is of exactly the head that was named, or of none", async () => {
    const harness = await openHarness(manner);
    await pushTo(harness, "b.txt");
    harness.pass(60 * secondMs);
    expect(await harness.drover.merge({ pull: harness.pull, head: harness.head })).toEqual({ kind: "head_moved" });
    expect(harness.sandbox.look(harness.pull).merged).toBeNull();
  });

  it("leaves a commit with both parents on the base, and moves other pulls' base", async () => {
    const harness = await openHarness(manner);
    const { people, repository, drover, pull, head, sandbox } = harness;
    await people.ada.push({ repository, branch: "other", changes: { "o.txt": "o\n" }, message: "Other" });
    const other = await people.ada.openPull({ repository, branch: "other", base: "main", title: "Other", body: "" });
    harness.pass(60 * secondMs);
    const outcome = await drover.merge({ pull, head });
    if (outcome.kind !== "merged") throw new Error(outcome.kind);
    expect(sandbox.look(pull)).toMatchObject({ merged: { head, commit: outcome.commit }, pull: { state: "merged" } });
    expect((await drover.fetchPull(other)).pull.mergeability.kind).toBe("unknown");
    const kinds = sandbox.history.slice(-2).map(({ what }) => what.kind);
    expect(kinds).toEqual(["merged", "pushed"]);
  });

  it("is not for drafts, closed pulls, merged ones, or readers", async () => {
    const harness = await openHarness(manner);
    const { people, drover, pull, head, sandbox, accounts } = harness;
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
