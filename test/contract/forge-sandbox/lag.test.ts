import { describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { type Harness, openHarness, pushTo, remark } from "./harness.ts";

const manners = ["github", "gitea"] as const;

function lag(harness: Harness, endpoint: string, ms: number): void {
  harness.spoil(endpoint, { kind: "stale", ms });
}

describe.each(manners)("a read that lags behind, in the manner of %s", (manner) => {
  it("shows the head as it was, at the time of now", async () => {
    const harness = await openHarness(manner);
    await pushTo(harness, "b.txt");
    harness.pass(20 * secondMs);
    lag(harness, "get_pull", 30 * secondMs);
    const seen = await harness.drover.fetchPull(harness.pull);
    expect(seen).toMatchObject({ observedAt: harness.now(), pull: { head: { sha: harness.head } } });
    expect((await harness.drover.fetchPull(harness.pull)).pull.head.sha).not.toBe(harness.head);
  });

  it("shows exactly what had happened by then", async () => {
    const harness = await openHarness(manner);
    for (const body of ["0", "1", "2", "3"]) {
      await harness.people.otto.comment(harness.pull, body);
      harness.pass(10 * secondMs);
    }
    lag(harness, "list_comments", 20 * secondMs);
    expect((await harness.drover.fetchPull(harness.pull)).comments.map(({ body }) => body)).toEqual(["0", "1", "2"]);
  });

  it("lags in one list and not in another", async () => {
    const harness = await openHarness(manner);
    await harness.people.otto.comment(harness.pull, "New.");
    await harness.people.rita.review(harness.pull, { event: "approve", body: "Good." });
    harness.pass(secondMs);
    lag(harness, "list_comments", 5 * secondMs);
    expect(await harness.drover.fetchPull(harness.pull)).toMatchObject({
      comments: [],
      reviews: [{ state: "approved" }],
    });
  });

  it("does not know a pull that was opened just now", async () => {
    const harness = await openHarness(manner);
    const { people, repository, drover } = harness;
    await people.ada.push({ repository, branch: "new", changes: { "n.txt": "n\n" }, message: "New" });
    const pull = await people.ada.openPull({ repository, branch: "new", base: "main", title: "New", body: "" });
    harness.pass(secondMs);
    lag(harness, "get_pull", 2 * secondMs);
    await expect(drover.fetchPull(pull)).rejects.toMatchObject({ kind: "not_found" });
    await drover.fetchPull(pull);
  });

  it("shows what was deleted, edited, taken back and reported since", async () => {
    const harness = await openHarness(manner);
    const { people, pull, repository, head, drover } = harness;
    const comment = await people.otto.comment(pull, "First.");
    await people.otto.react(pull, "+1");
    await people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [remark] });
    harness.pass(60 * secondMs);
    await people.otto.deleteComment(pull, comment);
    await people.otto.unreact(pull, "+1");
    await people.rita.report({ repository, commit: head, name: "ci", state: "failed" });
    expect(await drover.fetchPull(pull)).toMatchObject({ comments: [], reactions: [], checks: [{ state: "failed" }] });
    for (const endpoint of ["list_comments", "list_reactions", "list_statuses"]) lag(harness, endpoint, 30 * secondMs);
    const seen = await drover.fetchPull(pull);
    expect(seen).toMatchObject({ comments: [{ body: "First." }], reactions: [{ content: "+1" }], checks: [] });
  });

  it("is no matter for writes: they see everything", async () => {
    const harness = await openHarness(manner);
    const comment = await harness.drover.createComment({ pull: harness.pull, body: "One." });
    lag(harness, "edit_comment", 60 * secondMs);
    await harness.drover.editComment({ pull: harness.pull, comment, body: "Two." });
    expect(harness.sandbox.look(harness.pull).comments.map(({ body }) => body)).toEqual(["Two."]);
  });
});
