import { afterAll, beforeAll, expect, test } from "vitest";
import type { PullRef } from "#ports/pull-ref.ts";
import { type GithubRunner, openRunner } from "./runner.ts";
import { blocking, harmless, left } from "./seen.ts";

let runner: GithubRunner;
beforeAll(async () => {
  runner = await openRunner();
});
afterAll(async () => {
  await runner.close();
});

const inputs = { approves: "true" };

async function mend(pull: PullRef): Promise<void> {
  const branch = runner.sandbox.look(pull).pull.head.branch;
  const changes = { "src/loud.ts": "export function shout() {\n  return 1;\n}\n" };
  await runner.ada.push({ repository: runner.repository, branch, changes, message: "Mend it" });
}

function states(pull: PullRef): readonly string[] {
  return left(runner, pull).reviews.map(({ state }) => state);
}

test("a job that may approve asks for changes, and approves what is mended", async () => {
  runner.github.letActionsApprove(runner.repository, true);
  const pull = await runner.openPull(blocking);
  await runner.job({ event: "pull_request", pull, inputs });
  await mend(pull);
  const { code } = await runner.job({ event: "pull_request", pull, inputs });
  expect({ code, states: states(pull) }).toEqual({ code: 0, states: ["changes_requested", "approved"] });
});

test("one that was only said to may is told otherwise once, comments, and leaves it at that", async () => {
  runner.github.letActionsApprove(runner.repository, false);
  const pull = await runner.openPull(harmless);
  for (let jobs = 1; jobs <= 2; jobs++) {
    const { code, outputs } = await runner.job({ event: "pull_request", pull, inputs });
    expect({ code, verdict: outputs["verdict"], states: states(pull) }).toEqual({
      code: 0,
      verdict: "passed",
      states: ["commented"],
    });
  }
  const branch = runner.sandbox.look(pull).pull.head.branch;
  const changes = { "src/quieter.ts": "export const quieter = 1;\n" };
  await runner.ada.push({ repository: runner.repository, branch, changes, message: "More of it" });
  await runner.job({ event: "pull_request", pull, inputs });
  const { reviews, comments, gate } = left(runner, pull);
  const head = runner.sandbox.look(pull).pull.head.sha.slice(0, 7);
  expect(reviews.map(({ body }) => body.includes(`of \`${head}`))).toEqual([true]);
  expect(comments.filter((body) => body.includes("failed"))).toEqual([]);
  expect(gate).toBe("success");
});

test("one that may not lift its request any more says who can, and the job passes", async () => {
  runner.github.letActionsApprove(runner.repository, true);
  const pull = await runner.openPull(blocking);
  await runner.job({ event: "pull_request", pull, inputs });
  runner.github.letActionsApprove(runner.repository, false);
  await mend(pull);
  const { code, outputs } = await runner.job({ event: "pull_request", pull, inputs });
  expect({ code, verdict: outputs["verdict"], gate: left(runner, pull).gate }).toEqual({
    code: 0,
    verdict: "passed",
    gate: "success",
  });
  expect(states(pull)).toEqual(["changes_requested", "commented"]);
  expect(left(runner, pull).reviews[1]?.body).toContain("stands until a person with the right to do so dismisses it");
});
