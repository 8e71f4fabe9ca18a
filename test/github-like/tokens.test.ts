import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hourMs } from "#core/model/instant.ts";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";

describe("a caller of the served GitHub", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.github.close());

  /** A JWT by the forge's clock, which stands elsewhere than this machine's. */
  async function signIn(key: "privateKey" | "privateKeyPkcs8" = "privateKey"): Promise<string> {
    const { app } = stage.github;
    const timeDifference = Math.floor((stage.now() - Date.now()) / 1000);
    const auth = createAppAuth({ appId: app.id, privateKey: app[key], timeDifference });
    return (await auth({ type: "app" })).token;
  }

  async function issue(narrowing: object): Promise<{ readonly status: number; readonly token: string }> {
    const path = `/app/installations/${stage.github.app.installation}/access_tokens`;
    const { status, body } = await stage.ask("POST", path, { token: await signIn(), body: narrowing });
    return { status, token: body.token };
  }

  it.each([
    ["with a token that nobody knows", "nonsense", "Bad credentials"],
    ["with a JWT that nobody signed", "a.b.c", "Bad credentials"],
  ])("%s is turned away", async (_, token, message) => {
    const told = await stage.ask("GET", "/user", { token });
    expect([told.status, told.body.message]).toEqual([401, message]);
  });

  it("without a token is asked for one", async () => {
    const response = await fetch(`${stage.github.url}/user`);
    expect(response.status).toBe(401);
  });

  it("with a person's token is that person", async () => {
    const { body } = await stage.ask("GET", "/user", { token: "ada" });
    expect([body.login, body.id, body.type]).toEqual(["ada", Number(stage.accounts.ada.id), "User"]);
  });

  it("as a bot has no user, and is told its name by GraphQL", async () => {
    const told = await stage.ask("GET", "/user", { token: "drover" });
    expect([told.status, told.body.message]).toEqual([403, "Resource not accessible by integration"]);
    const { body } = await stage.graphql("{ viewer { login databaseId } }", {}, "drover");
    expect(body.data.viewer).toEqual({ login: "drover[bot]", databaseId: Number(stage.accounts.drover.id) });
  });

  it.each(["privateKey", "privateKeyPkcs8"] as const)("signs in as an App with its %s", async (key) => {
    const { body } = await stage.ask("GET", "/app", { token: await signIn(key) });
    expect([body.id, body.slug]).toEqual([stage.github.app.id, "drover"]);
  });

  it("comes as an App with Octokit's own library, whose clock it sets right", async () => {
    const { app, url } = stage.github;
    const log = { warn: () => undefined, debug: () => undefined, info: () => undefined, error: () => undefined };
    const octokit = request.defaults({ baseUrl: url, headers: { "user-agent": "a test" } });
    const auth = createAppAuth({
      appId: app.id,
      privateKey: app.privateKey,
      installationId: app.installation,
      request: octokit,
      log,
    });
    // oxlint-disable-next-line typescript/unbound-method -- it is bound: the library hands it out to be passed on.
    const { hook } = auth;
    const asApp = octokit.defaults({ request: { hook } });
    const { data } = await asApp("GET /app");
    expect(data?.slug).toBe("drover");
    const { data: pull } = await asApp("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      owner: "mia",
      repo: "tools",
      pull_number: 1,
    });
    expect(pull.title).toBe("A change");
  });

  it("is nobody with a JWT where an installation is asked for, and the other way round", async () => {
    expect((await stage.ask("GET", repo, { token: await signIn() })).status).toBe(401);
    expect((await stage.ask("GET", "/app", { token: "drover" })).status).toBe(401);
  });

  it("with a narrowed token sees its repositories alone", async () => {
    const { sandbox, accounts } = stage;
    const other = await sandbox.createRepository({ name: "mia/other", by: accounts.mia, files: { "a.txt": "a\n" } });
    sandbox.setPermission({ repository: other, account: accounts.drover, permission: "write" });
    const wide = await issue({});
    expect((await stage.ask("GET", "/repos/mia/other", { token: wide.token })).status).toBe(200);
    const { token } = await issue({ repository_ids: [Number(stage.repository.id)] });
    expect((await stage.ask("GET", repo, { token })).status).toBe(200);
    expect((await stage.ask("GET", "/repos/mia/other", { token })).status).toBe(404);
    const listed = await stage.ask("GET", "/installation/repositories", { token });
    expect(listed.body.repositories.map((each: { full_name: string }) => each.full_name)).toEqual(["mia/tools"]);
    const { body } = await stage.graphql(`{ repository(owner: "mia", name: "other") { id } }`, {}, token);
    expect([body.data.repository, body.errors[0].type]).toEqual([null, "NOT_FOUND"]);
  });

  it("with a narrowed token may do what it was narrowed to, and no more", async () => {
    const { token } = await issue({ permissions: { pull_requests: "read" } });
    expect((await stage.ask("GET", `${repo}/issues/1/comments`, { token })).status).toBe(200);
    const told = await stage.ask("POST", `${repo}/issues/1/comments`, { token, body: { body: "No." } });
    expect([told.status, told.body.message]).toEqual([403, "Resource not accessible by integration"]);
    expect((await stage.ask("GET", `${repo}/contents/a.txt`, { token })).status).toBe(403);
    expect(stage.sandbox.look(stage.pull).comments).toEqual([]);
  });

  it.each([
    ["a repository that it is not installed on", { repositories: ["nowhere"] }],
    ["a permission that the App was never given", { permissions: { administration: "write" } }],
  ])("gets no token for %s", async (_, narrowing) => {
    expect((await issue(narrowing)).status).toBe(422);
  });

  it("loses a token after an hour, or by giving it back", async () => {
    const { token } = await issue({});
    stage.pass(hourMs - 1000);
    expect((await stage.ask("GET", repo, { token })).status).toBe(200);
    stage.pass(1000);
    expect((await stage.ask("GET", repo, { token })).status).toBe(401);
    const second = await issue({});
    expect((await stage.ask("DELETE", "/installation/token", { token: second.token })).status).toBe(204);
    expect((await stage.ask("GET", repo, { token: second.token })).status).toBe(401);
  });

  it("needs to be an App to make check runs, and to write contents to resolve threads", async () => {
    const body = { name: "drover", head_sha: stage.head };
    expect((await stage.ask("POST", `${repo}/check-runs`, { body })).status).toBe(403);
    await stage.rita.review(stage.pull, {
      event: "comment",
      body: "Hm.",
      remarks: [{ path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" }],
    });
    const query = `{ repository(owner: "mia", name: "tools") { pullRequest(number: 1) { reviewThreads(first: 1) { nodes { id } } } } }`;
    const thread = (await stage.graphql(query)).body.data.repository.pullRequest.reviewThreads.nodes[0].id;
    const mutation = "mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }";
    const { token } = await issue({ permissions: { pull_requests: "write" } });
    const refused = await stage.graphql(mutation, { id: thread }, token);
    expect(refused.body.errors[0]).toMatchObject({
      type: "FORBIDDEN",
      message: "Resource not accessible by integration",
    });
    const { token: strong } = await issue({ permissions: { pull_requests: "write", contents: "write" } });
    const { body: done } = await stage.graphql(mutation, { id: thread }, strong);
    expect(done.data.resolveReviewThread.thread.isResolved).toBe(true);
  });

  it("with a token for something else is told by GraphQL what it may not see, beside what it may", async () => {
    const { token } = await issue({ permissions: { contents: "read" } });
    const query = `{ repository(owner: "mia", name: "tools") { name pullRequest(number: 1) { title } } }`;
    const { status, body } = await stage.graphql(query, {}, token);
    expect([status, body.data.repository, body.errors[0].type]).toEqual([
      200,
      { name: "tools", pullRequest: null },
      "FORBIDDEN",
    ]);
  });

  it("has to have push access to be told of permissions", async () => {
    const path = `${repo}/collaborators/ada/permission`;
    expect((await stage.ask("GET", path)).body.permission).toBe("write");
    expect((await stage.ask("GET", path, { token: "otto" })).status).toBe(403);
  });

  it("may not see what is not for them", async () => {
    stage.sandbox.setPermission({ repository: stage.repository, account: stage.accounts.otto, permission: "none" });
    expect((await stage.ask("GET", `${repo}/pulls/1`, { token: "otto" })).status).toBe(404);
    expect(stage.github.violations).toEqual([]);
  });
});
