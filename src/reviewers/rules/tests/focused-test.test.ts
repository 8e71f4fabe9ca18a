import { describe, expect, it } from "vitest";
import { focusedTest } from "#reviewers/rules/tests/focused-test.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

// The marks are put together here: a runner or a linter that looks at this file must not take them for its own.
const only = [".on", "ly"].join("");

describe("focused-test", () => {
  it.each([
    ["a.test.ts", `  it${only}("adds", () => {`, '  it("adds", () => {'],
    ["a.test.ts", `describe${only}.each([1])("x", () => {`, 'describe.each([1])("x", () => {'],
    ["e2e/a.ts", `test.describe${only}('x', () => {`, "test.describe('x', () => {"],
    ["a.spec.js", "fdescribe('x', () => {", "describe('x', () => {"],
    ["a.spec.js", "  fit(`x`, () => {", "  it(`x`, () => {"],
    ["a_test.go", '\tFIt("adds", func() {', '\tIt("adds", func() {'],
    ["spec/a_spec.rb", '  fit "adds" do', '  it "adds" do'],
    ["spec/a_spec.rb", '  it "adds", focus: true do', '  it "adds" do'],
    ["test_a.py", "@pytest.mark.only", ""],
  ])("finds a focused test in %s (%s) and takes the focus away", async (path, line, suggestion) => {
    const findings = await findingsOf(focusedTest, [newFile(path, line)]);
    expect(findings.map((finding) => finding.suggestion)).toEqual([suggestion]);
  });

  it.each([
    ["src/filter.ts", `query${only}("id")`],
    ["src/filter.ts", `it${only}("outside of tests", () => {`],
    ["a.test.ts", `// it${only}("in a comment", () => {`],
    ["a.test.ts", `expect(text).toBe('it${only}("x")');`],
    ["a.test.ts", `schema${only}("x")`],
    ["a.test.ts", "const model = fit(points);"],
    ["a.test.ts", 'outfit("x")'],
    ["a_test.go", 'Format("x")'],
    ["spec/a_spec.rb", "outfit = fit_for purpose"],
    ["test_a.py", "@pytest.mark.only_on_linux"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(focusedTest, [newFile(path, line)])).toEqual([]);
  });
});
