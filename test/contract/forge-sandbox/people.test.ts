import { describe, expect, it } from "vitest";
import { foreignRemark, openHarness } from "./harness.ts";

describe("what a forge would not allow a person", () => {
  it("is an error, and changes nothing", async () => {
    const { people, pull, repository, sandbox, head } = await openHarness("github");
    const comment = await people.ada.comment(pull, "Mine.");
    const before = [sandbox.history.length, sandbox.deliveries.length];
    const push = { repository, branch: "main", changes: { "x.txt": "x\n" }, message: "X" };
    const opening = { repository, branch: "change", base: "main", title: "Again", body: "" };
    const deeds: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => people.otto.push(push), "may not push"],
      [() => people.otto.forcePush({ repository, branch: "main", to: head }), "may not push"],
      [() => people.otto.editPull(pull, { title: "Mine now" }), "not your pull"],
      [() => people.otto.editComment(pull, comment, "Mine now."), "not your comment"],
      [() => people.otto.deleteComment(pull, comment), "not your comment"],
      [() => people.otto.merge(pull), "write permission"],
      [() => people.ada.review(pull, { event: "approve", body: "I am good." }), "own pull"],
      [
        () => people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [foreignRemark] }),
        "outside of the diff",
      ],
      [() => people.ada.openPull(opening), "already exists"],
      [() => people.ada.openPull({ ...opening, branch: "nowhere" }), "no branch nowhere"],
      [() => people.ada.openPull({ ...opening, branch: "main" }), "no commits"],
      [() => people.ada.editPull(pull, { base: "nowhere" }), "no branch nowhere"],
    ];
    for (const [deed, words] of deeds) await expect(deed()).rejects.toThrow(words);
    expect([sandbox.history.length, sandbox.deliveries.length]).toEqual(before);
  });

  it("includes even looking, for whoever has no permission", async () => {
    const { sandbox, people, pull, repository, accounts } = await openHarness("github");
    sandbox.setPermission({ repository, account: accounts.otto, permission: "none" });
    await expect(people.otto.comment(pull, "Hello?")).rejects.toThrow("otto");
    await expect(sandbox.clientOf(accounts.otto).fetchPull(pull)).rejects.toMatchObject({ kind: "not_found" });
  });

  it("is a merged pull that is opened again", async () => {
    const { people, pull } = await openHarness("github");
    await people.mia.merge(pull);
    await expect(people.ada.editPull(pull, { state: "open" })).rejects.toThrow("merged");
  });
});

describe("a pull", () => {
  it("comes from a fork where its author may not write", async () => {
    const { people, repository, drover, pull } = await openHarness("github");
    await people.otto.push({ repository, branch: "guest", changes: { "g.txt": "g\n" }, message: "Guest" });
    const guest = await people.otto.openPull({ repository, branch: "guest", base: "main", title: "Guest", body: "" });
    expect((await drover.fetchPull(guest)).pull.head.isFork).toBe(true);
    expect((await drover.fetchPull(pull)).pull.head.isFork).toBe(false);
  });

  it("knows since when it has had its base", async () => {
    const harness = await openHarness("github", { cutsTimesToSeconds: false });
    const { people, repository, pull, drover } = harness;
    const { createdAt, base } = (await drover.fetchPull(pull)).pull;
    expect(base).toEqual({ branch: "main", since: createdAt });
    await people.mia.push({ repository, branch: "release", changes: { "r.txt": "r\n" }, message: "Release" });
    harness.pass(1_000);
    await people.ada.editPull(pull, { base: "release" });
    expect((await drover.fetchPull(pull)).pull.base).toEqual({ branch: "release", since: harness.now() });
  });

  it("is closed with its branch, and its head can still be fetched", async () => {
    const { sandbox, drover, people, repository, pull, head, host } = await openHarness("github");
    await host.setRef({ repository: repository.name, ref: "refs/heads/change", to: null });
    const seen = await drover.fetchPull(pull);
    expect(seen.pull).toMatchObject({ state: "closed", head: { sha: head } });
    expect((await host.refsOf(repository.name)).get(seen.headRef)).toBe(head);
    expect(sandbox.deliveries.at(-1)).toMatchObject({ event: "pull_request", action: "closed" });
    await expect(people.ada.editPull(pull, { state: "open" })).rejects.toThrow("no branch change");
    expect(sandbox.look(pull).pull.state).toBe("closed");
  });
});

describe("a rebase", () => {
  it("puts the same change on the new base", async () => {
    const { people, repository, pull, sandbox, drover, git } = await openHarness("github");
    await people.ada.push({ repository, branch: "change", changes: { "b.txt": "b\n" }, message: "More" });
    await people.mia.push({ repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    const remote = await drover.fetchRemote(repository, "push");
    const patchOf = async () => {
      const mirror = await git.ensureMirror({ key: "tools", remote });
      const base = (await mirror.fetchRefs({ remote, refs: ["refs/heads/main"] }))[0]?.commit;
      if (base === undefined || base === null) throw new Error("no main");
      return mirror.patchOf({ base, head: sandbox.look(pull).pull.head.sha });
    };
    const before = { patch: await patchOf(), head: sandbox.look(pull).pull.head.sha };
    const after = await people.ada.rebase(pull);
    expect(after).not.toBe(before.head);
    expect(await patchOf()).toBe(before.patch);
    expect(before.patch).not.toBeNull();
  });
});

describe("calls that come together", () => {
  it("are served one after the other", async () => {
    const { drover, people, pull, sandbox } = await openHarness("github");
    const bodies = Array.from({ length: 20 }, (_, index) => `${index}`);
    await Promise.all(
      bodies.map((body) =>
        Number(body) % 2 === 0 ? people.otto.comment(pull, body) : drover.createComment({ pull, body }),
      ),
    );
    expect(sandbox.look(pull).comments.map(({ body }) => body)).toEqual(bodies);
    expect(new Set(sandbox.look(pull).comments.map(({ id }) => id)).size).toBe(20);
  });
});
