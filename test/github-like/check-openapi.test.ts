import { describe, expect, it } from "vitest";
import type { Incoming } from "#forge-like/incoming.ts";
import { openapiCheck } from "#github-like/check-openapi.ts";
import { matchRoute } from "#github-like/rest/routes.ts";

function ask(method: string, address: string, body?: unknown): readonly string[] {
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  const found = matchRoute(method, path);
  if (found === undefined) throw new Error(`no route for ${method} ${path}`);
  const incoming: Incoming = { method, path, query, body, headers: {}, isBroken: false, token: null };
  return openapiCheck().request(found.route, { incoming, params: found.params });
}

function tell(method: string, path: string, status: number, body: unknown): readonly string[] {
  const found = matchRoute(method, path);
  if (found === undefined) throw new Error(`no route for ${method} ${path}`);
  return openapiCheck().answer(found.route, { status, body });
}

const annotation = { path: "a", start_line: 1, end_line: 1, annotation_level: "notice", message: "m" };
const comments = "/repos/mia/tools/issues/1/comments";

describe("GitHub's description of its API", () => {
  it.each([
    ["a comment", "POST", comments, { body: "Hello." }],
    ["a page", "GET", `${comments}?per_page=100&page=2`, undefined],
    [
      "a review with remarks",
      "POST",
      "/repos/mia/tools/pulls/1/reviews",
      { event: "COMMENT", body: "", comments: [{ path: "a", line: 1, side: "LEFT", body: "" }] },
    ],
  ])("takes %s", (_, method, address, body) => {
    expect(ask(method, address, body)).toEqual([]);
  });

  it.each([
    ["a field that is missing", "POST", comments, {}, "must have required property 'body'"],
    ["a field of another type", "POST", comments, { body: 1 }, "must be string"],
    ["a field that nobody knows", "POST", comments, { body: "", colour: "red" }, "must NOT have additional properties"],
    ["no body where there has to be one", "POST", comments, undefined, "there is no body"],
    ["a body where there is none", "DELETE", "/installation/token", { a: 1 }, "it takes no body"],
    [
      "a word that is none of its own",
      "POST",
      "/repos/mia/tools/pulls/1/reviews",
      { event: "APPROVED" },
      "must be equal to one of the allowed values",
    ],
    ["a parameter that nobody knows", "GET", `${comments}?limit=3`, undefined, "there is no parameter limit"],
    ["a parameter of another type", "GET", `${comments}?per_page=many`, undefined, "must be integer"],
    ["a number in the path that is none", "GET", "/repos/mia/tools/issues/one/comments", undefined, "must be integer"],
    [
      "more annotations than fifty",
      "POST",
      "/repos/mia/tools/check-runs",
      {
        name: "a",
        head_sha: "b",
        output: { title: "", summary: "", annotations: Array.from({ length: 51 }, () => annotation) },
      },
      "must NOT have more than 50 items",
    ],
  ])("says what is wrong with %s", (_, method, address, body, problem) => {
    expect(ask(method, address, body).join("\n")).toContain(problem);
  });

  it("judges our own answers as well", () => {
    expect(tell("GET", comments, 200, [])).toEqual([]);
    expect(tell("GET", comments, 200, [{ id: "1" }]).join("\n")).toContain("must be integer");
    expect(tell("GET", comments, 201, [])).toEqual([expect.stringContaining("201 is not described")]);
    expect(tell("GET", comments, 404, { message: "Not Found" })).toEqual([]);
    expect(tell("GET", comments, 404, { message: 404 }).join("\n")).toContain("must be string");
    expect(
      tell("POST", comments, 422, { message: "No.", documentation_url: "", errors: ["words"] }).join("\n"),
    ).toContain("must be object");
  });
});
