import { describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { openTown, pushTo, remark, type Town } from "./town.ts";

const manners = ["github", "gitea"] as const;

function lag(town: Town, endpoint: string, ms: number): void {
  town.spoil(endpoint, { kind: "stale", ms });
}

describe.each(manners)("a read that lags behind, in the manner of %s", (manner) => {
  it("shows the head as it was, at the time of now", async () => {
    const town = await openTown(manner);
    await pushTo(town, "b.txt");
    town.pass(20 * secondMs);
    lag(town, "get_pull", 30 * secondMs);
    const seen = await town.drover.fetchPull(town.pull);
    expect(seen).toMatchObject({ observedAt: town.now(), pull: { head: { sha: town.head } } });
    expect((await town.drover.fetchPull(town.pull)).pull.head.sha).not.toBe(town.head);
  });

  it("shows exactly what had happened by then", async () => {
    const town = await openTown(manner);
    for (const body of ["0", "1", "2", "3"]) {
      await town.people.otto.comment(town.pull, body);
      town.pass(10 * secondMs);
    }
    lag(town, "list_comments", 20 * secondMs);
    expect((await town.drover.fetchPull(town.pull)).comments.map(({ body }) => body)).toEqual(["0", "1", "2"]);
  });

  it("lags in one list and not in another", async () => {
    const town = await openTown(manner);
    await town.people.otto.comment(town.pull, "New.");
    await town.people.rita.review(town.pull, { event: "approve", body: "Good." });
    town.pass(secondMs);
    lag(town, "list_comments", 5 * secondMs);
    expect(await town.drover.fetchPull(town.pull)).toMatchObject({ comments: [], reviews: [{ state: "approved" }] });
  });

  it("does not know a pull that was opened just now", async () => {
    const town = await openTown(manner);
    const { people, repository, drover } = town;
    await people.ada.push({ repository, branch: "new", changes: { "n.txt": "n\n" }, message: "New" });
    const pull = await people.ada.openPull({ repository, branch: "new", base: "main", title: "New", body: "" });
    town.pass(secondMs);
    lag(town, "get_pull", 2 * secondMs);
    await expect(drover.fetchPull(pull)).rejects.toMatchObject({ kind: "not_found" });
    await drover.fetchPull(pull);
  });

  it("shows what was deleted, edited, taken back and reported since", async () => {
    const town = await openTown(manner);
    const { people, pull, repository, head, drover } = town;
    const comment = await people.otto.comment(pull, "First.");
    await people.otto.react(pull, "+1");
    await people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [remark] });
    town.pass(60 * secondMs);
    await people.otto.deleteComment(pull, comment);
    await people.otto.unreact(pull, "+1");
    await people.rita.report({ repository, commit: head, name: "ci", state: "failed" });
    expect(await drover.fetchPull(pull)).toMatchObject({ comments: [], reactions: [], checks: [{ state: "failed" }] });
    for (const endpoint of ["list_comments", "list_reactions", "list_statuses"]) lag(town, endpoint, 30 * secondMs);
    const seen = await drover.fetchPull(pull);
    expect(seen).toMatchObject({ comments: [{ body: "First." }], reactions: [{ content: "+1" }], checks: [] });
  });

  it("is no matter for writes: they see everything", async () => {
    const town = await openTown(manner);
    const comment = await town.drover.createComment({ pull: town.pull, body: "One." });
    lag(town, "edit_comment", 60 * secondMs);
    await town.drover.editComment({ pull: town.pull, comment, body: "Two." });
    expect(town.sandbox.look(town.pull).comments.map(({ body }) => body)).toEqual(["Two."]);
  });
});
