import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";

describe("a pull", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.gitea.close());

  const get = async () => (await stage.ask("GET", `${repo}/pulls/1`)).body;

  it("is told with its branches, its size and where people look at it", async () => {
    const page = `${stage.gitea.url}/mia/tools/pulls/1`;
    expect(await get()).toMatchObject({
      number: 1,
      url: page,
      html_url: page,
      title: "A change",
      body: "First.",
      draft: false,
      user: { login: "ada" },
      head: { label: "change", ref: "change", sha: stage.head, repo: { full_name: "mia/tools" } },
      base: { ref: "main", repo_id: Number(stage.repository.id) },
      additions: 1,
      deletions: 1,
      changed_files: 1,
      requested_reviewers: [],
    });
  });

  it.each([
    ["WIP: A", true],
    ["wip: A", true],
    ["[WIP] A", true],
    ["WIP A", false],
    ["Swipe: A", false],
  ])("with the title %o is a draft: %s", async (title, isDraft) => {
    await stage.ada.editPull(stage.pull, { title });
    const { draft, mergeable } = await get();
    expect([draft, mergeable]).toEqual([isDraft, !isDraft]);
  });

  it("that somebody made a draft has the title of one, and loses both together", async () => {
    await stage.ada.editPull(stage.pull, { isDraft: true });
    expect(await get()).toMatchObject({ title: "WIP: A change", draft: true });
    const edited = await stage.ask("PATCH", `${repo}/pulls/1`, { token: "ada", body: { title: "A change" } });
    expect([edited.status, edited.body.title, edited.body.draft]).toEqual([201, "A change", false]);
    expect(stage.sandbox.look(stage.pull).pull.isDraft).toBe(false);
  });

  it("whose branch is gone is named by the ref that stays", async () => {
    await stage.ask("POST", `${repo}/pulls/1/merge`, { body: { Do: "merge" } });
    const { host } = await worldOf(stage);
    await host.setRef({ repository: "mia/tools", ref: "refs/heads/change", to: null });
    expect((await get()).head).toMatchObject({ label: "change", ref: "refs/pull/1/head", sha: stage.head });
  });

  it("of a fork has another repository at its head", async () => {
    const otto = stage.sandbox.as(stage.accounts.otto);
    const { repository } = stage;
    await otto.push({ repository, branch: "theirs", changes: { "o.txt": "o\n" }, message: "Theirs" });
    await otto.openPull({ repository, branch: "theirs", base: "main", title: "Theirs", body: "" });
    const { head, base } = (await stage.ask("GET", `${repo}/pulls/2`)).body;
    expect(head.repo).toMatchObject({ full_name: "otto/tools", fork: true, parent: { full_name: "mia/tools" } });
    expect(head.repo_id).not.toBe(base.repo_id);
  });

  it("names everybody as asked who has reviewed it as well, and in lists those with a verdict", async () => {
    const { pull, sandbox, accounts } = stage;
    await stage.ask("POST", `${repo}/pulls/1/requested_reviewers`, { body: { reviewers: ["mia"] } });
    await sandbox.as(accounts.rita).review(pull, { event: "approve", body: "Good." });
    await sandbox.as(accounts.otto).review(pull, { event: "comment", body: "Hm." });
    expect(logins(await get())).toEqual(["mia", "rita", "otto"]);
    expect(logins((await stage.ask("GET", `${repo}/pulls`)).body[0])).toEqual(["mia", "rita"]);
  });

  it("counts its comments, and from 1.23 on the reviews as well, when somebody comments", async () => {
    const old = await openStage({ version: "1.21.11" });
    for (const each of [stage, old]) await each.rita.review(each.pull, { event: "comment", body: "Hm." });
    expect([await count(stage), await count(old)]).toEqual([0, 0]);
    for (const each of [stage, old]) await each.rita.comment(each.pull, "Hello.");
    expect([await count(stage), await count(old)]).toEqual([2, 1]);
    await old.gitea.close();
  });

  it("of 1.21 has no draft but its title, and no list that is empty", async () => {
    const old = await openStage({ version: "1.21.11" });
    const { body } = await old.ask("GET", `${repo}/pulls/1`);
    expect(Object.keys(body)).not.toContain("draft");
    expect([body.requested_reviewers, body.assignees]).toEqual([null, null]);
    await old.gitea.close();
  });

  it("is changed by what is said and done, and not by what is said otherwise, taken back or settled", async () => {
    const { rita, pull } = stage;
    const changes = async (deed: () => Promise<unknown>): Promise<boolean> => {
      const before = (await get()).updated_at;
      stage.pass(5_000);
      await deed();
      return (await get()).updated_at !== before;
    };
    const comment = await rita.comment(pull, "Hello.");
    const remarks = [{ path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" }] as const;
    expect(await changes(() => rita.review(pull, { event: "comment", body: "Hm.", remarks }))).toBe(true);
    const { threads } = stage.sandbox.look(pull);
    if (threads[0] === undefined) throw new Error("no thread");
    const { id } = threads[0];
    expect(await changes(() => rita.editComment(pull, comment, "Hello again."))).toBe(false);
    expect(await changes(() => rita.deleteComment(pull, comment))).toBe(false);
    expect(await changes(() => rita.react(pull, "heart"))).toBe(false);
    expect(await changes(() => rita.resolveThread(pull, id))).toBe(false);
    expect(await changes(() => rita.reply(pull, id, "Because."))).toBe(true);
    expect(await changes(() => stage.ada.editPull(pull, { body: "Better." }))).toBe(true);
  });

  it("is listed by state, the newest first unless asked otherwise", async () => {
    const { ada, repository } = stage;
    await ada.push({ repository, branch: "second", changes: { "s.txt": "s\n" }, message: "Second" });
    const second = await ada.openPull({ repository, branch: "second", base: "main", title: "Second", body: "" });
    const numbers = async (query: string) =>
      (await stage.ask("GET", `${repo}/pulls?${query}`)).body.map(({ number }: { number: number }) => number);
    expect([await numbers(""), await numbers("sort=oldest")]).toEqual([
      [2, 1],
      [1, 2],
    ]);
    await ada.editPull(second, { state: "closed" });
    expect([await numbers("state=open"), await numbers("state=closed"), await numbers("state=all")]).toEqual([
      [1],
      [2],
      [2, 1],
    ]);
  });
});

async function count(of: Stage): Promise<number> {
  return (await of.ask("GET", `${repo}/pulls/1`)).body.comments;
}

function logins(told: { readonly requested_reviewers: readonly { readonly login: string }[] }): readonly string[] {
  return told.requested_reviewers.map(({ login }) => login);
}

function permissionOf(login: string): string {
  return `${repo}/collaborators/${login}/permission`;
}

function names({ body }: { readonly body: readonly { readonly name: string }[] }): readonly string[] {
  return body.map(({ name }) => name);
}

/** What stands behind the server. */
async function worldOf({ sandbox, accounts }: Stage) {
  const answer = await sandbox.serve(
    { name: "test", isWrite: false, account: accounts.mia },
    async (look) => look.world,
  );
  if (answer.kind !== "success") throw new Error("not served");
  return answer.body;
}

describe("around a pull", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.gitea.close());

  it("statuses are made with a state and told with a status, the last of a name for all", async () => {
    const path = `${repo}/statuses/${stage.head}`;
    const combined = async () => (await stage.ask("GET", `${repo}/commits/${stage.head}/status`)).body;
    expect(await combined()).toMatchObject({ state: "", statuses: null, total_count: 0 });
    const made = await stage.ask("POST", path, {
      body: { state: "pending", context: "ci", description: "Wait.", target_url: "https://ci.example/1" },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: "pending",
      target_url: "https://ci.example/1",
      creator: { login: "rita" },
    });
    expect(Object.keys(made.body)).not.toContain("state");
    stage.pass(1_000);
    await stage.ask("POST", path, { token: "drover", body: { state: "success", context: "ci" } });
    await stage.ask("POST", path, { token: "drover", body: { state: "warning", context: "lint" } });
    const { state, statuses } = await combined();
    const told = statuses.map(({ context, status }: { context: string; status: string }) => `${context} ${status}`);
    expect([state, told.sort()]).toEqual(["failure", ["ci success", "lint warning"]]);
    expect((await stage.ask("GET", path)).body).toHaveLength(3);
  });

  it("statuses are refused to readers, and break down on a commit that nobody has", async () => {
    const body = { state: "success", context: "ci" };
    expect((await stage.ask("POST", `${repo}/statuses/${stage.head}`, { token: "otto", body })).status).toBe(403);
    expect((await stage.ask("POST", `${repo}/statuses/${"f".repeat(40)}`, { body })).status).toBe(500);
    expect((await stage.ask("GET", `${repo}/commits/nowhere/status`)).status).toBe(404);
  });

  it("permissions are told to admins and about oneself", async () => {
    expect((await stage.ask("GET", permissionOf("ada"))).status).toBe(403);
    expect((await stage.ask("GET", permissionOf("Rita"))).body).toMatchObject({
      permission: "write",
      user: { login: "rita" },
    });
    const asAdmin = async (login: string) => (await stage.ask("GET", permissionOf(login), { token: "mia" })).body;
    expect([(await asAdmin("otto")).permission, (await asAdmin("mia")).permission]).toEqual(["read", "owner"]);
    expect((await stage.ask("GET", permissionOf("nobody"), { token: "mia" })).status).toBe(404);
  });

  it("labels have numbers, and what nobody knows is left out without a word", async () => {
    const path = `${repo}/issues/1/labels`;
    const { body: bug } = await stage.ask("POST", `${repo}/labels`, { body: { name: "bug", color: "#FF0000" } });
    expect(bug).toMatchObject({ name: "bug", color: "ff0000" });
    expect(names(await stage.ask("POST", path, { body: { labels: [bug.id, 4711] } }))).toEqual(["bug"]);
    expect(names(await stage.ask("POST", path, { body: { labels: ["bug", "unheard of"] } }))).toEqual(["bug"]);
    expect(stage.sandbox.look(stage.pull).pull.labels).toEqual(["bug"]);
    expect((await stage.ask("POST", path, { token: "otto", body: { labels: [bug.id] } })).status).toBe(403);
    expect((await stage.ask("DELETE", `${path}/4711`)).status).toBe(404);
    for (let time = 0; time < 2; time++) expect((await stage.ask("DELETE", `${path}/${bug.id}`)).status).toBe(204);
    await stage.ada.editPull(stage.pull, { labels: ["by hand"] });
    expect(names(await stage.ask("GET", `${repo}/labels`))).toEqual(["bug", "by hand"]);
  });

  it("labels are stuck by number alone before 1.22", async () => {
    const old = await openStage({ version: "1.21.11" });
    const told = await old.ask("POST", `${repo}/issues/1/labels`, { body: { labels: ["bug"] } });
    expect(told.status).toBe(422);
    await old.gitea.close();
  });

  it("a file is told as it is at some ref", async () => {
    const read = async (ref: string) => {
      const { body } = await stage.ask("GET", `${repo}/contents/a.txt?ref=${ref}`);
      return Buffer.from(body.content, body.encoding).toString("utf8");
    };
    expect([await read("main"), await read(stage.head)]).toEqual(["one\ntwo\nthree\n", "one\nTWO\nthree\n"]);
    expect((await stage.ask("GET", `${repo}/contents/nowhere.txt`)).status).toBe(404);
  });

  it("hooks are for admins, keep their secret, and know reviews by one name", async () => {
    const config = { url: "http://127.0.0.1:1/webhooks/gitea", content_type: "json", secret: "hush" };
    const hook = {
      type: "gitea",
      active: true,
      config,
      events: ["pull_request_review_approved", "pull_request_review"],
    };
    expect((await stage.ask("POST", `${repo}/hooks`, { body: hook })).status).toBe(403);
    const made = await stage.ask("POST", `${repo}/hooks`, { token: "mia", body: hook });
    expect([made.status, made.body.events]).toEqual([201, ["pull_request_review"]]);
    expect(JSON.stringify(made.body)).not.toContain("hush");
    expect(stage.gitea.hooksOf(stage.repository)[0]?.config["secret"]).toBe("hush");
    const all = await stage.ask("POST", `${repo}/hooks`, { token: "mia", body: { ...hook, events: ["pull_request"] } });
    expect(all.body.events).toContain("pull_request_sync");
    const { url: _, ...poor } = config;
    expect((await stage.ask("POST", `${repo}/hooks`, { token: "mia", body: { ...hook, config: poor } })).status).toBe(
      422,
    );
  });
});
