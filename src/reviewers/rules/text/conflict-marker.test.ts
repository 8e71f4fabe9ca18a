import { describe, expect, it } from "vitest";
import { conflictMarker } from "#reviewers/rules/text/conflict-marker.ts";
import { changedFile, newFile, placesOf } from "#testing/rules-makers.ts";

const start = `${"<".repeat(7)} HEAD`;
const middle = "=".repeat(7);
const end = `${">".repeat(7)} topic`;

describe("conflict-marker", () => {
  it("finds a whole conflict once, at its start, in every sort of file", async () => {
    const lines = ["a", start, "b", middle, "c", end];
    const files = ["a.ts", "README.md", "package-lock.json", "vendor/x.go"].map((path) => newFile(path, ...lines));
    expect(await placesOf(conflictMarker, files)).toEqual(["2", "2", "2", "2"]);
  });

  it("finds what is left of one", async () => {
    expect(await placesOf(conflictMarker, [newFile("a.ts", "a", end)])).toEqual(["2"]);
    expect(await placesOf(conflictMarker, [newFile("a.py", start, "a")])).toEqual(["1"]);
  });

  it("finds two after one another", async () => {
    const lines = [start, "b", middle, "c", end];
    expect(await placesOf(conflictMarker, [newFile("a.ts", ...lines, ...lines)])).toEqual(["1", "6"]);
  });

  it.each([
    ["a heading", "README.rst", ["Title", middle]],
    ["a rule of another length", "a.ts", [`${"<".repeat(8)} HEAD`, `${">".repeat(6)} x`]],
    ["an indented quote", "a.ts", [`  ${start}`]],
    ["an answer to an answer in prose", "mail.txt", [end]],
    ["an operator", "a.c", ["x <<<<<<<y"]],
  ])("lets %s pass", async (_name, path, lines) => {
    expect(await placesOf(conflictMarker, [newFile(path, ...lines)])).toEqual([]);
  });

  it("lets a conflict pass that was there before", async () => {
    const lines = [` ${start}`, " a", ` ${middle}`, "+b", ` ${end}`];
    expect(await placesOf(conflictMarker, [changedFile("a.ts", ...lines)])).toEqual([]);
  });
});
