import { describe, expect, it } from "vitest";
import { blanketSuppression } from "#reviewers/rules/code/blanket-suppression.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const disable = ["eslint", "disable"].join("-");
const nocheck = ["@ts", "nocheck"].join("-");

describe("blanket-suppression", () => {
  it.each([
    ["a.js", [`/* ${disable} */`]],
    ["a.ts", [`// ${nocheck}`]],
    ["a.py", ["# flake8: noqa"]],
    ["a.py", ["# mypy: ignore-errors"]],
    ["a.rs", ["#![allow(warnings)]"]],
  ])("finds a suppression in %s: %s", async (path, lines) => {
    expect(await placesOf(blanketSuppression, [newFile(path, ...lines)])).toEqual(["1"]);
  });

  it.each([
    ["a.js", [`/* ${disable} no-console */`]],
    ["a.js", [`// ${disable}-next-line`]],
    ["a.js", ["const text = `", `/* ${disable} */`, "`;"]],
    ["a.js", ["const text = `", "words", `/* ${disable} */`, "`;"]],
    ["a.py", ["# flake8: noqa: E501"]],
    ["a.py", ["x = 1  # noqa"]],
    ["a.rs", ["#![allow(dead_code)]"]],
    ["a.md", [`// ${nocheck}`]],
    ["a.generated.ts", [`// ${nocheck}`]],
  ])("lets %s with %j pass", async (path, lines) => {
    expect(await placesOf(blanketSuppression, [newFile(path, ...lines)])).toEqual([]);
  });
});
