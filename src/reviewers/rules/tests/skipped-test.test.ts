import { describe, expect, it } from "vitest";
import { skippedTest } from "#reviewers/rules/tests/skipped-test.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const skip = [".sk", "ip"].join("");

describe("skipped-test", () => {
  it.each([
    ["a.test.ts", `it${skip}("adds", () => {`],
    ["a.test.ts", `describe.concurrent${skip}('adds', () => {`],
    ["a.spec.js", "xit('adds', () => {"],
    ["test_a.py", `@pytest.mark${skip}`],
    ["test_a.py", `@unittest${skip}()`],
    ["src/lib.rs", "    #[ignore]"],
    ["AdderTest.java", "  @Disabled"],
    ["spec/a_spec.rb", "  xit 'adds' do"],
  ])("finds a skipped test in %s: %s", async (path, line) => {
    expect(await placesOf(skippedTest, [newFile(path, "", line)])).toEqual(["2"]);
  });

  it.each([
    ["a.test.ts", ["// Flaky since the new runner, see below.", `it${skip}("adds", () => {`]],
    ["a.test.ts", [`it${skip}("adds", () => { // #4711`]],
    ["a.test.ts", [`test${skip}(isWindows, "no links there");`]],
    ["a.test.ts", [`it${skip}If(isWindows)("adds", () => {`]],
    ["a.test.ts", [`// it${skip}("adds", () => {`]],
    ["src/a.ts", [`it${skip}("adds", () => {`]],
    ["test_a.py", [`@pytest.mark${skip}(reason="needs a server")`]],
    ["test_a.py", [`@pytest.mark${skip}if(windows, reason="x")`]],
    ["src/lib.rs", ['#[ignore = "slow"]']],
    ["AdderTest.java", ['  @Disabled("ADD-12")']],
  ])("lets %s with %s pass", async (path, lines) => {
    expect(await placesOf(skippedTest, [newFile(path, ...lines)])).toEqual([]);
  });
});
