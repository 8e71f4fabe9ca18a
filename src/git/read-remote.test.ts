import { expect, it } from "vitest";
import { readRemote } from "#git/read-remote.ts";

function credential(username: string, secret: string) {
  return { username, reveal: () => secret };
}

it("git gives a credential to the one address that it is for", () => {
  const url = "https://forge.invalid/o/r.git";
  const access = readRemote({ url, credential: credential("bot", "s3cret") }, ["https"]);
  const token = Buffer.from("bot:s3cret").toString("base64");
  expect(access.config).toEqual([[`http.${url}.extraHeader`, `Authorization: Basic ${token}`]]);
  expect(access.secrets).toEqual(["s3cret", token]);
});

it("git gives no credential to a folder", () => {
  const access = readRemote({ url: "/srv/r.git", credential: credential("bot", "s3cret") }, ["file"]);
  expect(access).toEqual({ url: "/srv/r.git", protocol: "file", config: [], secrets: [] });
});

it.each([
  ["a", "b\r\nX: y"],
  ["a\n", "b"],
  ["a:b", "c"],
])("a credential that git would read as another one is refused: %j %j", (username, secret) => {
  const remote = { url: "https://forge.invalid/x", credential: credential(username, secret) };
  expect(() => readRemote(remote, ["https"])).toThrow("a credential holds");
});

it.each([
  "http://forge.invalid/x",
  "file:///x",
  "/x",
  "ssh://forge.invalid/x",
  "https://u@forge.invalid/x",
  "x",
  "https://a\nb",
])("the remote %j is refused where only https is allowed", (url) => {
  expect(() => readRemote({ url, credential: null }, ["https"])).toThrow("allowed protocols: https");
});
