import { expect, it } from "vitest";
import { leadsOutside } from "#git/check-import.ts";

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
])("a link at %s may lead to %s inside the repository", (path, target) => {
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
])("a link at %s may not lead to %j, which is outside or git's own", (path, target) => {
  expect(outside({ [path]: target }, path)).toBe(true);
});

it("a link is followed through the links on its way, and goes up from where they lead", () => {
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
