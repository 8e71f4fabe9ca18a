import { describe, expect, it } from "vitest";
import { findHomonyms, findSynonyms } from "./glossary.ts";
import { readSource } from "./source.ts";

function find(text: string, path = "src/core/a.ts"): readonly string[] {
  return findSynonyms([readSource({ path, text })]).map((each) => `${each.line}: ${each.what}`);
}

describe("the glossary", () => {
  it.each([
    ["const pullRequest = 1;", "pullRequest: the word here is pull"],
    ["interface PullRequest {}", "PullRequest: the word here is pull"],
    ["type A = { pullRequestId: string };", "pullRequestId: the word here is pull"],
    ["function listPullRequests() {}", "listPullRequests: the word here is pull"],
    ["const PULL_REQUEST_MAX = 1;", "PULL_REQUEST_MAX: the word here is pull"],
    ["const mergeRequest = 1;", "mergeRequest: the word here is pull"],
    ["const prNumber = 1;", "prNumber: the word here is pull"],
    ["const isPR = 1;", "isPR: the word here is pull"],
    ["const targetBranch = 1;", "targetBranch: the word here is base"],
    ["const sourceBranch = 1;", "sourceBranch: the word here is head"],
    ["const discussions = 1;", "discussions: the word here is thread"],
  ])("stops %s", (text, what) => {
    expect(find(`\n${text}`)).toEqual([`2: ${what}`]);
  });

  it("stops a file name", () => {
    expect(find("", "src/core/pull-request/a.ts")).toEqual(["1: pull-request: the word here is pull"]);
    expect(find("", "src/core/merge-pr.test.ts")).toEqual(["1: merge-pr: the word here is pull"]);
    expect(find("", "src/core/pull/request-review.ts")).toEqual([]);
  });

  it("names a synonym once a file", () => {
    expect(find("const prNumber = 1;\nexport const a = prNumber + prNumber;")).toHaveLength(1);
  });

  it.each([
    ["our own words", "const pull = 1; const requestedPull = 2; const pullOfRequest = 3;"],
    ["words that only look alike", "const prompt = 1; const spread = 2; const improve = 3; const mrsa = 4;"],
    ["a comment", "// The pull request, or PR.\nconst a = 1;"],
    ["text for people", 'const a = "this pull request";'],
    ["a name on the wire", "const Event = z.object({ pull_request: z.unknown() });"],
    ["a quoted key", 'const a = { "manual-pr-review": 1 };'],
  ])("lets %s pass", (_what, text) => {
    expect(find(text)).toEqual([]);
  });

  it("leaves the forges and what lies outside of src their own words", () => {
    expect(find("const pullRequest = 1;", "src/forges/github/github-map.ts")).toEqual([]);
    expect(find("const pullRequest = 1;", "tools/a.ts")).toEqual([]);
  });
});

describe("an exported name", () => {
  const exporting = (path: string, text = "export const limit = 1;\n") => readSource({ path, text });
  const findIn = (...paths: readonly string[]) => findHomonyms(paths.map((path) => exporting(path)));

  it("has one declaration", () => {
    expect(findIn("src/core/a.ts", "src/core/b.ts").map(({ path, what }) => `${path}: ${what}`)).toEqual([
      "src/core/b.ts: limit is also what src/core/a.ts exports: give one a name of its own",
    ]);
  });

  it("may be declared as type and value, or by each member of a family", () => {
    expect(findHomonyms([exporting("src/core/a.ts", "export const A = 1;\nexport type A = 1;\n")])).toEqual([]);
    expect(findIn("src/forges/github/github-gate.ts", "src/forges/gitea/gitea-gate.ts")).toEqual([]);
  });
});
