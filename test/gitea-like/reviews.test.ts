import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Told } from "#forge-like/scene.ts";
import { openStage, type Stage } from "./stage.ts";

const all = "/repos/mia/tools/pulls/1/reviews";
const remark = { path: "a.txt", new_position: 2, body: "Why?" };

describe("a review", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.gitea.close());

  const post = (body: object, token = "rita"): Promise<Told> => stage.ask("POST", all, { body, token });
  const dismissed = async () => (await list()).map((review: { dismissed: boolean }) => review.dismissed);
  const list = async (token = "rita") => (await stage.ask("GET", all, { token })).body;

  it.each([
    ["APPROVED", "APPROVED"],
    ["REQUEST_CHANGES", "REQUEST_CHANGES"],
    ["COMMENT", "COMMENT"],
    ["APPROVE", "PENDING"],
    ["approved", "PENDING"],
    ["", "PENDING"],
  ])("with the event %o is %s, and a success", async (event, state) => {
    const { status, body } = await post({ event, body: "Hm." });
    expect([status, body.state]).toEqual([200, state]);
  });

  it.each([
    ["REQUEST_CHANGES", []],
    ["COMMENT", []],
    ["APPROVE", []],
    ["REQUEST_CHANGES", [remark]],
  ])("with the event %s and no text is refused", async (event, comments) => {
    const { status, body } = await post({ event, body: " ", comments });
    expect([status, body.message]).toEqual([422, expect.stringContaining("requires a body")]);
    expect(await list()).toEqual([]);
  });

  it("needs no text to approve, nor for a remark", async () => {
    expect((await post({ event: "APPROVED" })).status).toBe(200);
    expect((await post({ event: "COMMENT", comments: [remark] })).status).toBe(200);
  });

  it("is no verdict on one's own pull", async () => {
    for (const event of ["APPROVED", "REQUEST_CHANGES"]) {
      const { status, body } = await post({ event, body: "Mine." }, "ada");
      expect([status, body.message]).toEqual([422, expect.stringContaining("your own pull is not allowed")]);
    }
    expect((await post({ event: "COMMENT", body: "Mine." }, "ada")).status).toBe(200);
  });

  it.each([
    ["a line that was not changed", { path: "a.txt", new_position: 1 }],
    ["a line of a file that the pull does not touch", { path: "b/c.txt", new_position: 1 }],
    ["a line behind the end", { path: "a.txt", new_position: 400 }],
    ["a file that nobody has", { path: "nowhere.txt", new_position: 1 }],
    ["a line of the old file", { path: "a.txt", old_position: 2 }],
  ])("takes a remark on %s", async (_, place) => {
    const { status, body } = await post({ event: "COMMENT", body: "x", comments: [{ ...place, body: "Here." }] });
    expect([status, body.comments_count]).toEqual([200, 1]);
    const [told] = (await stage.ask("GET", `${all}/${body.id}/comments`)).body;
    const { new_position, old_position } = { new_position: 0, old_position: 0, ...place };
    expect([told.path, told.position, told.original_position]).toEqual([place.path, new_position, old_position]);
  });

  it("that is pending is seen by its author alone, and goes along with the next one", async () => {
    await post({ event: "APPROVE", body: "Oops.", comments: [remark] });
    expect([(await list()).length, (await list("ada")).length]).toEqual([1, 0]);
    const { body } = await post({ event: "COMMENT", body: "Another.", comments: [{ ...remark, new_position: 1 }] });
    expect([body.state, body.comments_count, (await list("ada")).length]).toEqual(["COMMENT", 2, 1]);
  });

  it("that is pending is seen by an admin of the server as well", async () => {
    await post({ event: "", body: "Later." });
    stage.gitea.siteAdmins.add(stage.accounts.otto.id);
    expect((await list("otto")).map(({ state }: { state: string }) => state)).toEqual(["PENDING"]);
  });

  it("that is pending can be submitted, once", async () => {
    const { body } = await post({ event: "", body: "Later.", comments: [remark] });
    const at = `${all}/${body.id}`;
    expect((await stage.ask("POST", at, { body: { event: "NONSENSE", body: "x" } })).body.message).toBe(
      "review stay pending",
    );
    const submitted = await stage.ask("POST", at, { body: { event: "REQUEST_CHANGES", body: "Now." } });
    expect(submitted.body).toMatchObject({ id: body.id, state: "REQUEST_CHANGES", body: "Now.", comments_count: 1 });
    expect((await stage.ask("POST", at, { body: { event: "COMMENT", body: "x" } })).status).toBe(422);
    expect((await stage.ask("GET", at, { token: "ada" })).status).toBe(200);
  });

  it("of a commit that nobody has breaks down, and the next one with it", async () => {
    const broken = await post({ event: "COMMENT", body: "x", commit_id: "f".repeat(40), comments: [remark] });
    expect([broken.status, broken.body.message]).toEqual([500, ""]);
    const [left] = await list();
    expect([left.state, left.comments_count]).toEqual(["PENDING", 1]);
    expect((await post({ event: "COMMENT", body: "x", comments: [remark] })).status).toBe(500);
    expect((await stage.ask("DELETE", `${all}/${left.id}`)).status).toBe(204);
    expect((await post({ event: "COMMENT", body: "x", comments: [remark] })).status).toBe(200);
  });

  it("is told with the text of its submission for ever, and edited through its comment", async () => {
    const { body: review } = await post({ event: "COMMENT", body: "First.", comments: [remark] });
    const timeline = "/repos/mia/tools/issues/1/timeline";
    const entry = (await stage.ask("GET", timeline)).body.find(({ type }: { type: string }) => type === "review");
    expect(entry).toMatchObject({ review_id: review.id, body: "First." });
    expect(review.html_url).toBe(`${stage.gitea.url}/mia/tools/pulls/1#issuecomment-${entry.id}`);
    const comment = `/repos/mia/tools/issues/comments/${entry.id}`;
    const edited = await stage.ask("PATCH", comment, { body: { body: "Second." } });
    expect([edited.status, edited.body.body]).toEqual([200, "Second."]);
    expect((await stage.ask("GET", comment)).status).toBe(204);
    expect((await list())[0].body).toBe("First.");
    expect((await stage.ask("GET", `${all}/${review.id}`)).body.body).toBe("First.");
    const again = (await stage.ask("GET", timeline)).body.find(({ type }: { type: string }) => type === "review");
    expect(again).toMatchObject({ id: entry.id, body: "Second." });
    expect(stage.sandbox.look(stage.pull).threads).toHaveLength(1);
  });

  it("takes back the earlier verdicts of the same person, unless it comes with remarks", async () => {
    await post({ event: "REQUEST_CHANGES", body: "No." });
    await post({ event: "COMMENT", body: "Hm." });
    await post({ event: "APPROVED", comments: [remark] });
    expect(await dismissed()).toEqual([false, false, false]);
    await post({ event: "APPROVED" });
    expect(await dismissed()).toEqual([true, false, true, false]);
    expect(stage.sandbox.look(stage.pull).reviews.map(({ state }) => state)).not.toContain("dismissed");
  });

  it("is dismissed by an admin alone, twice is once, and can be restored", async () => {
    const { body } = await post({ event: "APPROVED" });
    const at = `${all}/${body.id}`;
    const asked = { body: { message: "Stale." } };
    expect((await stage.ask("POST", `${at}/dismissals`, asked)).status).toBe(403);
    for (let time = 0; time < 2; time++) {
      const told = await stage.ask("POST", `${at}/dismissals`, { ...asked, token: "mia" });
      expect([told.status, told.body.state, told.body.dismissed]).toEqual([200, "APPROVED", true]);
    }
    const timeline = (await stage.ask("GET", "/repos/mia/tools/issues/1/timeline")).body;
    const lines = timeline.filter(({ type }: { type: string }) => type === "dismiss_review");
    expect(lines).toMatchObject([{ review_id: body.id, body: "Stale.", user: { login: "mia" } }]);
    expect((await stage.ask("POST", `${at}/undismissals`, { token: "mia" })).body.dismissed).toBe(false);
  });

  it("without a verdict cannot be dismissed", async () => {
    const { body } = await post({ event: "COMMENT", body: "Hm." });
    const told = await stage.ask("POST", `${all}/${body.id}/dismissals`, { token: "mia", body: { message: "x" } });
    expect(told.status).toBe(403);
  });

  it("is deleted with its threads although it was submitted, by its author alone", async () => {
    const { body } = await post({ event: "COMMENT", body: "x", comments: [remark] });
    expect((await stage.ask("DELETE", `${all}/${body.id}`, { token: "mia" })).status).toBe(403);
    expect((await stage.ask("DELETE", `${all}/${body.id}`)).status).toBe(204);
    const { reviews, threads } = stage.sandbox.look(stage.pull);
    expect([reviews, threads]).toEqual([[], []]);
    expect((await stage.ask("GET", `${all}/${body.id}`)).status).toBe(404);
  });

  it("is listed for everybody who was asked for one, until it is there; one with remarks leaves that behind", async () => {
    const path = "/repos/mia/tools/pulls/1/requested_reviewers";
    const asked = await stage.ask("POST", path, { token: "ada", body: { reviewers: ["rita"] } });
    expect([asked.status, asked.body.length]).toEqual([201, 1]);
    expect((await stage.ask("POST", path, { token: "ada", body: { reviewers: ["rita"] } })).body).toEqual([]);
    expect(await list()).toMatchObject([{ state: "REQUEST_REVIEW", user: { login: "rita" }, commit_id: "" }]);
    await post({ event: "APPROVED" });
    expect((await list()).map(({ state }: { state: string }) => state)).toEqual(["APPROVED"]);
    await stage.ask("POST", path, { token: "ada", body: { reviewers: ["rita"] } });
    await post({ event: "COMMENT", body: "x", comments: [remark] });
    expect((await list()).map(({ state }: { state: string }) => state)).toEqual([
      "APPROVED",
      "REQUEST_REVIEW",
      "COMMENT",
    ]);
    const strange = await stage.ask("POST", path, { token: "ada", body: { reviewers: ["nobody"] } });
    expect(strange.status).toBe(404);
  });

  it("is stale once something was pushed, and official where a writer made it", async () => {
    await post({ event: "APPROVED" });
    await post({ event: "APPROVED" }, "otto");
    expect((await list()).map(({ official }: { official: boolean }) => official)).toEqual([true, false]);
    const changes = { "a.txt": "other\n" };
    await stage.ada.push({ repository: stage.repository, branch: "change", changes, message: "More" });
    const [first] = await list();
    expect([first.stale, first.commit_id]).toEqual([true, stage.head]);
  });
});

describe("a review on other versions", () => {
  it("is known by its own number in its address from 1.27 on, and breaks down behind the end of a file", async () => {
    const stage = await openStage({ version: "1.27.3" });
    const far = { path: "a.txt", new_position: 400, body: "Far." };
    const broken = await stage.ask("POST", all, { body: { event: "COMMENT", body: "x", comments: [far] } });
    expect(broken.status).toBe(500);
    const [left] = (await stage.ask("GET", all)).body;
    expect([left.state, left.html_url]).toEqual(["PENDING", ""]);
    await stage.ask("DELETE", `${all}/${left.id}`);
    const { body } = await stage.ask("POST", all, { body: { event: "COMMENT", body: "x", comments: [remark] } });
    expect(body.html_url).toBe(`${stage.gitea.url}/mia/tools/pulls/1#pullrequestreview-${body.id}`);
    await stage.gitea.close();
  });

  it.each([
    ["1.21.11", 200],
    ["1.25.5", 422],
  ])("of %s with a verdict on a pull that is closed is answered with %d", async (version, status) => {
    const stage = await openStage({ version });
    await stage.ada.editPull(stage.pull, { state: "closed" });
    expect((await stage.ask("POST", all, { body: { event: "APPROVED", body: "Late." } })).status).toBe(status);
    expect((await stage.ask("POST", all, { body: { event: "COMMENT", body: "Late." } })).status).toBe(200);
    await stage.gitea.close();
  });
});
