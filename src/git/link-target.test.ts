import { expect, it } from "vitest";
import { leadsOutside } from "#git/link-target.ts";

function outside(links: Readonly<Record<string, string>>, path: string): boolean {
  return leadsOutside(new Map(Object.entries(links)), path);
}

it.each([
  ["x", "y"],
  ["x", "./a/../y"],
  ["a/x", "../y"],
  ["a/b/x", "../../y"],
  ["x", "not/there"],
  ["x", "a/"],
])("%s may lead to %s", (path, target) => {
  expect(outside({ [path]: target }, path)).toBe(false);
});

it.each([
  ["x", ".."],
  ["x", "../y"],
  ["a/x", "../../y"],
  ["x", "a/../../y"],
  ["x", "/"],
  ["x", "/etc/passwd"],
  ["x", ""],
  ["x", "x"],
  ["x", ".git/config"],
  ["a/x", "../.Git/hooks"],
  ["x", "a\\..\\..\\y"],
  ["x", "c:/y"],
])("%s may not lead to %j", (path, target) => {
  expect(outside({ [path]: target }, path)).toBe(true);
});

it("follows the links on the way, and goes back up from where they lead", () => {
  const links = {
    "a/b/up": "..",
    deep: "a/b",
    loop1: "loop2",
    loop2: "loop1",
    escape: "a/b/up/../..",
    fine: "deep/../c",
  };
  expect(outside(links, "a/b/up")).toBe(false);
  expect(outside(links, "escape")).toBe(true);
  expect(outside(links, "fine")).toBe(false);
  expect(outside({ ...links, tricky: "deep/../../.." }, "tricky")).toBe(true);
  expect(outside(links, "loop1")).toBe(true);
});
