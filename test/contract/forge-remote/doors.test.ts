import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import { type ServedSandbox, serveSandbox } from "#forges/sandbox/remote/serve-sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { openSmallHarness, type SmallHarness } from "./small-harness.ts";

let harness: SmallHarness;
let pull: PullRef;
let served: ServedSandbox;

beforeEach(async () => {
  harness = await openSmallHarness("github");
  pull = await harness.openPull();
  const { ada, drover, mia } = harness.accounts;
  const tokens = new Map([
    ["a", ada],
    ["d", drover],
    ["m", mia],
  ]);
  served = await serveSandbox({ sandbox: harness.sandbox, tokens, port: 0 });
});
afterEach(() => served.close());

interface Said {
  readonly status: number;
  readonly text: string;
}

async function post(path: string, body: string, token = "a"): Promise<Said> {
  const answer = await fetch(served.url + path, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, text: await answer.text() };
}

const comment = (): string => JSON.stringify({ pull, body: "Hello." });

describe("a sandbox that is served", () => {
  it("listens on the loopback alone", () => {
    expect(new URL(served.url).hostname).toBe("127.0.0.1");
  });

  it("lets nobody in without a token, and does nothing for them", async () => {
    expect(await post("/forge/createComment", comment(), "nobody")).toMatchObject({ status: 401 });
    expect(await post("/person/comment", comment(), "")).toMatchObject({ status: 401 });
    expect(harness.sandbox.look(pull).comments).toEqual([]);
  });

  it("takes whoever holds a token for its account", async () => {
    await post("/forge/createComment", comment(), "d");
    await post("/forge/createComment", comment(), "m");
    const authors = harness.sandbox.look(pull).comments.map(({ author }) => author.login);
    expect(authors).toEqual(["drover", "mia"]);
  });

  it.each([
    ["no JSON", "/forge/createComment", "{"],
    ["a field too few", "/forge/createComment", '{"body":"Hello."}'],
    ["a method that there is not", "/forge/deleteEverything", "{}"],
    ["a name that every object has", "/forge/constructor", "{}"],
    ["a call that asks nobody", "/forge/findBudget", "null"],
    ["a deed that nobody does", "/person/fly", "{}"],
  ])("refuses %s, and says why", async (_, path, body) => {
    const { status, text } = await post(path, body);
    expect(status).toBe(400);
    expect(text.trim()).not.toBe("");
    expect(harness.sandbox.look(pull).comments).toEqual([]);
  });

  it.each(["/", "/forge", "/forge/fetchPull/more", "/else/fetchPull"])("has nothing at %s", async (path) => {
    expect((await post(path, "null")).status).toBe(404);
  });

  it("answers no GET", async () => {
    expect((await fetch(`${served.url}/forge/fetchIdentity`)).status).toBe(404);
  });

  it("tells with each answer how many calls are left", async () => {
    const limited = await openSmallHarness("github", { callsPerHourMax: 50 });
    const own = await serveSandbox({
      sandbox: limited.sandbox,
      tokens: new Map([["d", limited.accounts.drover]]),
      port: 0,
    });
    const client = createRemoteSandbox({ url: own.url, token: "d", clock: limited.clock });
    expect(client.findRateLimit()).toBeNull();
    await client.fetchRepository("mia/tools");
    expect(client.findRateLimit()).toMatchObject({ limit: 50, left: 49 });
    await own.close();
  });
});

describe("people at a sandbox that is served", () => {
  it("do what they would do in a browser, by the names of things", async () => {
    const place = { repository: "mia/tools" };
    const files = { "b.txt": "b\n" };
    await post("/person/push", JSON.stringify({ ...place, branch: "b", message: "Add b", files }));
    const opened = await post("/person/openPull", JSON.stringify({ ...place, branch: "b", title: "Add b" }));
    const ref: PullRef = JSON.parse(opened.text);
    const on = { ...place, pull: ref.number };
    await post("/person/comment", JSON.stringify({ ...on, body: "@drover review" }));
    await post("/person/react", JSON.stringify({ ...on, content: "+1" }), "m");
    await post("/person/review", JSON.stringify({ ...on, event: "approve" }), "m");
    await post("/person/editPull", JSON.stringify({ ...on, change: { title: "Add b at last" } }));
    const { pull: seen, comments, reactions, reviews } = harness.sandbox.look(ref);
    expect([seen.title, seen.author.login]).toEqual(["Add b at last", "ada"]);
    expect(comments.map(({ body }) => body)).toEqual(["@drover review"]);
    expect(reactions.map(({ content }) => content)).toEqual(["+1"]);
    expect(reviews.map(({ state }) => state)).toEqual(["approved"]);
    const looked = await post("/person/look", JSON.stringify(on));
    expect(JSON.parse(looked.text)).toMatchObject({ pull: { number: ref.number, title: "Add b at last" } });
    await post("/person/unreact", JSON.stringify({ ...on, content: "+1" }), "m");
    await post("/person/report", JSON.stringify({ ...place, commit: seen.head.sha, name: "build", state: "passed" }));
    await post("/person/merge", JSON.stringify(on), "m");
    const after = harness.sandbox.look(ref);
    expect(after.reactions).toEqual([]);
    expect(after.checks.map(({ name }) => name)).toEqual(["build"]);
    expect(after.merged).not.toBeNull();
  });

  it("are told what the forge does not allow", async () => {
    const own = JSON.stringify({ repository: "mia/tools", pull: pull.number, event: "approve" });
    expect(await post("/person/review", own)).toMatchObject({ status: 422 });
    const nowhere = JSON.stringify({ repository: "mia/tools", pull: 99, body: "Hello?" });
    expect(await post("/person/comment", nowhere)).toMatchObject({ status: 422 });
    const unknown = JSON.stringify({ repository: "mia/nothing", pull: 1, body: "Hello?" });
    expect(await post("/person/comment", unknown)).toMatchObject({ status: 422 });
  });
});
