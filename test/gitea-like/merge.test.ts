import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Told } from "#forge-like/scene.ts";
import { openStage, type Stage } from "./stage.ts";

const path = "/repos/mia/tools/pulls/1/merge";

describe("a merge", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.gitea.close());

  const merge = (body: object, token = "rita"): Promise<Told> => stage.ask("POST", path, { body, token });

  it("of the head that was meant is done, without a word", async () => {
    const told = await merge({ Do: "merge", MergeTitleField: "T", MergeMessageField: "M", head_commit_id: stage.head });
    expect([told.status, told.body]).toEqual([200, ""]);
    expect(stage.sandbox.look(stage.pull).merged).toMatchObject({ head: stage.head, by: { login: "rita" } });
    const { body } = await stage.ask("GET", "/repos/mia/tools/pulls/1");
    expect(body).toMatchObject({ state: "closed", merged: true, merged_by: { login: "rita" } });
    expect(body.merge_commit_sha).toBe(stage.sandbox.look(stage.pull).merged?.commit);
    const again = await merge({ Do: "merge" });
    expect([again.status, again.body.message]).toEqual([405, "The PR is already merged"]);
  });

  it("of another head is a conflict", async () => {
    const { status, body } = await merge({ Do: "squash", head_commit_id: "0".repeat(40) });
    expect([status, body.message]).toEqual([409, "head out of date"]);
  });

  it("is too early after a push, also of the old head", async () => {
    const changes = { "e.txt": "e\n" };
    await stage.ada.push({ repository: stage.repository, branch: "change", changes, message: "More" });
    const { body: pull } = await stage.ask("GET", "/repos/mia/tools/pulls/1");
    expect(pull.mergeable).toBe(false);
    const { status, body } = await merge({ Do: "merge", head_commit_id: stage.head });
    expect([status, body.message]).toEqual([405, "Please try again later"]);
    stage.pass(5_000);
    expect((await stage.ask("GET", "/repos/mia/tools/pulls/1")).body.mergeable).toBe(true);
    expect((await merge({ Do: "merge", head_commit_id: stage.head })).status).toBe(409);
  });

  it("with a conflict is told to try again later, for ever", async () => {
    const mia = stage.sandbox.as(stage.accounts.mia);
    const changes = { "a.txt": "one\nother\nthree\n" };
    await mia.push({ repository: stage.repository, branch: "main", changes, message: "Other" });
    stage.pass(3_600_000);
    expect((await stage.ask("GET", "/repos/mia/tools/pulls/1")).body.mergeable).toBe(false);
    const { status, body } = await merge({ Do: "merge", head_commit_id: stage.head });
    expect([status, body.message]).toEqual([405, "Please try again later"]);
    expect((await stage.ask("POST", "/repos/mia/tools/pulls/1/update")).status).toBe(409);
  });

  it("of a draft, of a closed pull or by a reader is refused, each in its own way", async () => {
    expect((await merge({ Do: "merge" }, "otto")).body.message).toBe("User not allowed to merge PR");
    await stage.ada.editPull(stage.pull, { title: "wip: not yet" });
    expect((await merge({ Do: "merge" })).body.message).toBe("Work in progress PRs cannot be merged");
    await stage.ada.editPull(stage.pull, { title: "Now", state: "closed" });
    expect((await merge({ Do: "merge" })).status).toBe(404);
  });

  it("needs its capitals: other spellings are not read", async () => {
    for (const body of [{ do: "merge" }, {}, { Do: "nonsense" }]) expect((await merge(body)).status).toBe(422);
    // The head that was meant is forgotten, and another one merged: nobody notices.
    expect((await merge({ Do: "merge", headCommitId: "0".repeat(40) })).status).toBe(200);
    expect(stage.gitea.violations.join("\n")).toContain("must NOT have additional properties (headCommitId)");
  });

  it("takes both spellings from 1.26 on", async () => {
    const later = await openStage({ version: "1.26.0" });
    const wrong = { do: "merge", head_commit_id: "0".repeat(40) };
    expect((await later.ask("POST", path, { body: wrong })).status).toBe(409);
    expect((await later.ask("POST", path, { body: { Do: "merge", head_commit_id: later.head } })).status).toBe(200);
    expect(later.gitea.violations).toEqual([]);
    await later.gitea.close();
  });

  it("of the base into the branch makes a new head", async () => {
    const mia = stage.sandbox.as(stage.accounts.mia);
    await mia.push({ repository: stage.repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    expect((await stage.ask("POST", "/repos/mia/tools/pulls/1/update?style=merge")).status).toBe(200);
    expect(stage.sandbox.look(stage.pull).pull.head.sha).not.toBe(stage.head);
  });
});
