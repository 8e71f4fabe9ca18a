import { afterAll, beforeAll, expect, test } from "vitest";
import { type GithubRunner, openRunner } from "./runner.ts";

/** The pull of somebody who may not write, whose head is in another repository: its job is given a token that only reads. */

let runner: GithubRunner;
beforeAll(async () => {
  runner = await openRunner();
});
afterAll(() => runner.close());

test("a pull from a fork is fetched, read and told about in the job, and nothing is written", async () => {
  const { sandbox, repository, github } = runner;
  const eve = sandbox.as(sandbox.addAccount({ login: "eve", kind: "person" }));
  const changes = { "src/loud.ts": "export function shout() {\n  debugger;\n}\n" };
  await eve.push({ repository, branch: "loud", changes, message: "Shout" });
  const pull = await eve.openPull({ repository, branch: "loud", base: "main", title: "Shout", body: "Please." });
  expect(sandbox.look(pull).pull.head.isFork).toBe(true);
  const end = await runner.jobHere({ event: "pull_request", pull, fork: "eve/tools" }, globalThis.fetch);
  expect(end.code).toBe(1);
  expect(end.summary).toContain("nothing was posted and nothing is fixed");
  expect(end.summary).toContain("src/loud.ts:2");
  expect(end.summary).toMatch(/ · the forge: \d+ requests, \d+ points/);
  expect(github.requests.filter(({ isWrite }) => isWrite)).toEqual([]);
  expect(sandbox.look(pull)).toMatchObject({ reviews: [], comments: [], gates: [] });
});
