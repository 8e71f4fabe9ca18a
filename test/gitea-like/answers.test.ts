import { afterEach, describe, expect, it } from "vitest";
import { swaggerCheck } from "#gitea-like/check-swagger.ts";
import { matchRoute } from "#gitea-like/rest/routes.ts";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";

let stage: Stage;
afterEach(() => stage.gitea.close());

describe("an answer", () => {
  it.each([
    ["1.21.11", { errors: null, message: "The target couldn't be found." }],
    ["1.25.5", { errors: null, message: "not found" }],
    ["1.27.3", { message: "not found" }],
  ])("of %s to what is not there says so", async (version, words) => {
    stage = await openStage({ version });
    const url = `${stage.gitea.url}/api/swagger`;
    const told = await stage.ask("GET", `${repo}/pulls/9999`);
    expect([told.status, told.body]).toEqual([404, { ...words, url }]);
    const hidden = await stage.ask("GET", "/repos/mia/nothing");
    expect([hidden.status, hidden.body]).toEqual([404, { ...words, url }]);
    expect(stage.gitea.violations).toEqual([]);
  });

  it("to a token that nobody has, or to none, is 401", async () => {
    stage = await openStage();
    const wrong = await stage.ask("GET", "/user", { token: "nonsense" });
    const none = await stage.ask("GET", "/user", { token: null });
    expect([wrong.status, none.status, none.body.message]).toEqual([401, 401, "token is required"]);
    expect((await stage.ask("GET", "/version", { token: null })).body).toEqual({ version: "1.25.5" });
  });

  it("to a token without the scope is 403, and writing holds reading", async () => {
    stage = await openStage();
    stage.gitea.scopes.set("rita", ["write:issue", "read:repository"]);
    expect((await stage.ask("GET", repo)).status).toBe(200);
    expect((await stage.ask("GET", `${repo}/issues/1/comments`)).status).toBe(200);
    expect((await stage.ask("POST", `${repo}/issues/1/comments`, { body: { body: "x" } })).status).toBe(201);
    const body = { event: "COMMENT", body: "x" };
    const refused = await stage.ask("POST", `${repo}/pulls/1/reviews`, { body });
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("[write:repository]")]);
    expect((await stage.ask("GET", "/user")).status).toBe(403);
  });

  it("to somebody who may not see the repository is that there is none", async () => {
    stage = await openStage();
    const { repository, accounts } = stage;
    stage.sandbox.setPermission({ repository, account: accounts.otto, permission: "none" });
    expect((await stage.ask("GET", repo, { token: "otto" })).status).toBe(404);
    expect((await stage.ask("GET", `/repositories/${repository.id}`, { token: "otto" })).status).toBe(404);
  });

  it("in an archive is 423 to whoever speaks or merges, and nothing special to whoever reads", async () => {
    stage = await openStage();
    stage.gitea.archive(stage.repository);
    const refused = await stage.ask("POST", `${repo}/issues/1/comments`, { body: { body: "x" } });
    expect([refused.status, refused.body.message]).toEqual([423, "mia/tools is archived"]);
    expect((await stage.ask("POST", `${repo}/pulls/1/merge`, { body: { Do: "merge" } })).status).toBe(423);
    expect((await stage.ask("GET", repo)).body.archived).toBe(true);
    expect(stage.gitea.violations).toEqual([]);
  });

  it("has the server's date, and neither limits nor a tag", async () => {
    stage = await openStage();
    const { headers } = await stage.ask("GET", repo);
    expect(headers.get("date")).toBe("Thu, 01 Jan 2026 09:01:00 GMT");
    expect(headers.get("content-type")).toBe("application/json;charset=utf-8");
    const names = [...headers.keys()].filter((name) => /ratelimit|etag|x-github/.test(name));
    expect(names).toEqual([]);
  });

  it("finds repositories whatever the case of their names", async () => {
    stage = await openStage();
    expect((await stage.ask("GET", "/repos/Mia/TOOLS")).body.full_name).toBe("mia/tools");
  });
});

describe("the description that the server gives of itself", () => {
  const newer = ["compare/{basehead}", "pulls/comments/{id}/resolve", "pulls/{index}/comments/{id}/replies"];

  it.each([
    ["1.21.11", []],
    ["1.25.5", newer.slice(0, 1)],
    ["1.26.0", newer.slice(0, 2)],
    ["1.27.3", newer],
    ["11.0.0+gitea-1.22.0", newer.slice(0, 1)],
  ])("fits version %s, and needs no token", async (version, there) => {
    stage = await openStage({ version });
    const { info, paths, basePath } = Object(await (await fetch(`${stage.gitea.url}/swagger.v1.json`)).json());
    expect([info.version, basePath]).toEqual([version, "/api/v1"]);
    expect(newer.filter((path) => `/repos/{owner}/{repo}/${path}` in paths)).toEqual(there);
  });
});

describe("what Gitea does not describe", () => {
  it.each([
    ["a route", "GET", `${repo}/check-runs`, undefined, "is no operation that 1.25.5 has"],
    ["a page of comments", "GET", `${repo}/issues/1/comments?page=2`, undefined, "there is no parameter page"],
    ["GitHub's page size", "GET", `${repo}/pulls?per_page=5`, undefined, "there is no parameter per_page"],
    ["a field", "POST", `${repo}/issues/1/comments`, { body: "x", event: "y" }, "additional properties (event)"],
    ["GitHub's lines", "POST", `${repo}/pulls/1/reviews`, { comments: [{ path: "a", line: 2 }] }, "(line)"],
    ["a number as text", "POST", `${repo}/pulls/1/reviews`, { comments: [{ new_position: "2" }] }, "must be integer"],
  ])("is noticed: %s", async (_, method, path, body, words) => {
    stage = await openStage();
    await stage.ask(method, path, { body });
    expect(stage.gitea.violations.join("\n")).toContain(words);
  });

  it("is noticed in our own answers too", async () => {
    stage = await openStage();
    const check = swaggerCheck(stage.gitea.version);
    const route = matchRoute("GET", "/user")?.route;
    if (route === undefined) throw new Error("no route");
    expect(check.answer(route, { status: 200, body: { id: 1, login: "a" } })).toEqual([]);
    expect(check.answer(route, { status: 200, body: { id: "1" } }).join()).toContain("must be integer");
    expect(check.answer(route, { status: 200, body: { type: "User" } }).join()).toContain("(type)");
    expect(check.answer(route, { status: 202, body: {} }).join()).toContain("202 is not described");
    expect(check.answer(route, { status: 404, body: { error: "x" } }).join()).toContain("required property 'message'");
  });
});

describe("a list", () => {
  const labels = `${repo}/labels`;

  it("has thirty entries a page unless asked otherwise, and fifty at most, and says how many there are", async () => {
    stage = await openStage();
    const names = Array.from({ length: 60 }, (_, index) => `label ${index}`);
    await stage.ada.editPull(stage.pull, { labels: names });
    const lengths: number[] = [];
    for (const query of ["", "?limit=7", "?limit=50", "?limit=1000", "?limit=50&page=2", "?limit=50&page=3"]) {
      const { body, headers } = await stage.ask("GET", labels + query);
      lengths.push(body.length);
      expect(headers.get("x-total-count")).toBe("60");
    }
    expect(lengths).toEqual([30, 7, 50, 50, 10, 0]);
  });

  it("of pulls has links to the other pages, first those that follow", async () => {
    stage = await openStage();
    const { ada, repository } = stage;
    for (const name of ["b", "c", "d", "e"]) {
      await ada.push({ repository, branch: name, changes: { [name]: name }, message: name });
      await ada.openPull({ repository, branch: name, base: "main", title: name, body: "" });
    }
    const { headers } = await stage.ask("GET", `${repo}/pulls?limit=2&page=2`);
    const at = (page: number): string => `${stage.gitea.url}/api/v1${repo}/pulls?limit=2&page=${page}`;
    const links = [
      `<${at(3)}>; rel="next"`,
      `<${at(3)}>; rel="last"`,
      `<${at(1)}>; rel="first"`,
      `<${at(1)}>; rel="prev"`,
    ];
    expect(headers.get("link")).toBe(links.join(","));
    expect((await stage.ask("GET", `${repo}/pulls`)).headers.get("link")).toBeNull();
  });

  it("of reviews has gaps where others have one that is pending", async () => {
    stage = await openStage();
    const all = `${repo}/pulls/1/reviews`;
    await stage.ask("POST", all, { body: { event: "", body: "Pending." } });
    for (const token of ["otto", "mia"]) await stage.ask("POST", all, { token, body: { event: "COMMENT", body: "x" } });
    const { body, headers } = await stage.ask("GET", `${all}?limit=2`, { token: "ada" });
    expect([body.length, headers.get("x-total-count")]).toEqual([1, "3"]);
  });

  it("is cut shorter than asked for where the sandbox has tiny pages", async () => {
    stage = await openStage({}, { pageSize: 3 });
    await stage.ada.editPull(stage.pull, { labels: ["a", "b", "c", "d"] });
    expect((await stage.ask("GET", `${labels}?limit=50`)).body).toHaveLength(3);
  });
});
