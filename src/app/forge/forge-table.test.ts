import { describe, expect, it } from "vitest";
import { findPullAddress } from "#app/forge/forge-table.ts";

describe("the address of a pull", () => {
  it.each([
    ["https://github.com/acme/tools/pull/12", "github", "https://api.github.com", "acme/tools", "12"],
    ["https://github.com/acme/tools/pull/12/files#diff-1", "github", "https://api.github.com", "acme/tools", "12"],
    ["https://acme.ghe.com/o/r/pull/3", "github", "https://api.acme.ghe.com", "o/r", "3"],
    ["https://code.example/acme/tools/pull/3", "github", "https://code.example/api/v3", "acme/tools", "3"],
    ["https://git.example/acme/tools/pulls/7", "gitea", "https://git.example", "acme/tools", "7"],
    ["http://127.0.0.1:3000/acme/tools/pulls/7/commits?x=1", "gitea", "http://127.0.0.1:3000", "acme/tools", "7"],
    ["https://example.org/git/acme/tools/pulls/7", "gitea", "https://example.org/git", "acme/tools", "7"],
    ["https://git.example/pulls/pulls/pulls/7", "gitea", "https://git.example", "pulls/pulls", "7"],
  ])("%s is one of %s", (text, kind, url, repository, number) => {
    expect(findPullAddress(text)).toEqual({ kind, url, repository, number });
  });

  it.each([
    "7",
    "acme/tools",
    "ftp://git.example/acme/tools/pulls/7",
    "https://git.example/acme/tools/pulls",
    "https://git.example/acme/tools/pulls/0",
    "https://git.example/acme/tools/issues/7",
    "https://github.com/deep/acme/tools/pull/7",
    "https:// /acme/tools/pull/7",
  ])("is not what %j is", (text) => {
    expect(findPullAddress(text)).toBeUndefined();
  });
});
