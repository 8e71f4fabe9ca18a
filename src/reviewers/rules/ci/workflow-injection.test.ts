import { describe, expect, it } from "vitest";
import { workflowInjection } from "#reviewers/rules/ci/workflow-injection.ts";
import { changedFile, newFile, placesOf } from "#testing/rules-makers.ts";

const path = ".github/workflows/ci.yml";

function expression(value: string): string {
  return `\${{ ${value} }}`;
}

describe("workflow-injection", () => {
  it.each([
    "github.event.issue.title",
    "github.event.pull_request.body",
    "github.event.comment.body",
    "github.head_ref",
    "github.event.pull_request.head.ref",
    "github.event.head_commit.message",
    "github.event.commits[0].author.name",
    "format('{0}', github.event.review.body)",
  ])("finds %s in a script", async (value) => {
    expect(await placesOf(workflowInjection, [newFile(path, `      - run: echo "${expression(value)}"`)])).toEqual([
      "1",
    ]);
  });

  it("finds an injection in a block whose key was there before", async () => {
    const lines = [
      "       - run: |",
      "           make",
      `+          echo ${expression("github.head_ref")}`,
      "       - uses: x",
    ];
    expect(await placesOf(workflowInjection, [changedFile(path, ...lines)])).toEqual(["3"]);
  });

  it("finds an injection in a script for another engine", async () => {
    const lines = [
      "        with:",
      "          script: |",
      `            say("${expression("github.event.issue.body")}")`,
    ];
    expect(await placesOf(workflowInjection, [newFile(path, ...lines)])).toEqual(["3"]);
  });

  it.each([
    ["numbers and ids", [`  - run: echo ${expression("github.event.issue.number")}`]],
    ["a commit id", [`  - run: git log ${expression("github.event.pull_request.head.sha")}`]],
    ["the environment", ["  - env:", `      TITLE: ${expression("github.event.issue.title")}`, "    run: echo $TITLE"]],
    ["what follows a script", ["  - run: |", "      make", `    name: ${expression("github.head_ref")}`]],
    ["a condition", [`    if: ${expression("github.event.issue.title == 'x'")}`]],
  ])("lets %s pass", async (_name, lines) => {
    expect(await placesOf(workflowInjection, [newFile(path, ...lines)])).toEqual([]);
  });

  it("lets other files pass", async () => {
    const line = `  - run: echo ${expression("github.head_ref")}`;
    expect(await placesOf(workflowInjection, [newFile("docs/ci.yml", line)])).toEqual([]);
  });
});
