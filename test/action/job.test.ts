import { afterAll, beforeAll, expect, test } from "vitest";
import { type GithubRunner, openRunner } from "./runner.ts";
import { blocking, harmless, left } from "./seen.ts";

let runner: GithubRunner;
beforeAll(async () => {
  runner = await openRunner();
});
afterAll(async () => {
  await runner.close();
});

test("the pull of a fork is reviewed into the log and the summary, and nothing is posted", async () => {
  const pull = await runner.openPull(blocking);
  const since = runner.github.requests.length;
  const job = await runner.job({ event: "pull_request", pull, fork: "eve/tools" });
  expect({ code: job.code, verdict: job.outputs["verdict"] }).toEqual({ code: 1, verdict: "blocked" });
  expect(job.log).toContain("::notice title=Drover::this pull comes from a fork");
  expect(job.log).toContain("::error file=src/loud.ts,line=2");
  expect(job.summary).toContain("nothing was posted and nothing is fixed");
  expect(job.summary).toContain("`src/loud.ts:2`");
  expect(left(runner, pull)).toEqual({ reviews: [], comments: [], remarks: [], gate: undefined });
  // It is not even tried.
  expect(runner.github.requests.slice(since).filter(({ isWrite }) => isWrite)).toEqual([]);
});

test("wrong inputs end the job with code 2 and a line for each", async () => {
  const pull = { repository: runner.repository, number: 1 };
  const inputs = { problem_threshold: "many", model: "m", openrouter_api_key: "sk-or-very-secret", handle: "drover" };
  const { code, log, outputs } = await runner.job({ event: "pull_request", pull, inputs });
  expect({ code, outputs }).toEqual({ code: 2, outputs: {} });
  const errors = log.split("\n").filter((line) => line.startsWith("::error"));
  expect(errors).toEqual([
    '::error title=Drover::problem_threshold: expected a whole number from 1 to 10, not "many"',
    '::error title=Drover::handle: expected a handle such as "@drover"',
  ]);
});

test("a job without the secret is told how to get one", async () => {
  const pull = { repository: runner.repository, number: 1 };
  const { code, log } = await runner.job({ event: "pull_request", pull, inputs: { secret: "" } });
  expect(code).toBe(2);
  expect(log).toContain("DROVER_SECRET is not set");
  expect(log).toContain("openssl rand -hex 32");
});

test("a run that breaks down says so in one line, and in its outputs", async () => {
  const pull = await runner.openPull(harmless);
  const env = { RUNNER_TEMP: "/nowhere/at all" };
  const { code, log, outputs } = await runner.job({ event: "pull_request", pull, env });
  expect({ code, outputs }).toEqual({
    code: 1,
    outputs: { tasks_executed: "0", has_blocking_issues: "false", verdict: "failed", cost: "0.000000" },
  });
  const errors = log.split("\n").filter((line) => line.startsWith("::error"));
  expect(errors).toEqual([expect.stringMatching(/^::error title=Drover::the run broke down: ENOENT/)]);
});

test("secrets are blotted out before anything else is said, and inputs without use are named", async () => {
  const pull = await runner.openPull(harmless);
  // A configuration that names its models has no use for that of an input.
  const config = "models: { own: { chain: [{ provider: openrouter, model: a/b }] } }";
  const unused = { model: "some/model", enable_web: "true" };
  const inputs = { openrouter_api_key: "sk-or-very-secret", config, ...unused };
  const { code, log } = await runner.job({ event: "pull_request", pull, inputs });
  expect(code).toBe(0);
  const lines = log.split("\n");
  const masks = lines.filter((line) => line.startsWith("::add-mask::"));
  expect(masks).toHaveLength(3);
  expect(lines.slice(0, 3)).toEqual(masks);
  expect(log.replaceAll(/^::add-mask::.*$/gm, "")).not.toContain("sk-or-very-secret");
  for (const name of Object.keys(unused))
    expect(log).toContain(`the input ${name} is understood, but nothing uses it here`);
});

test("what people wrote is no command to the runner", async () => {
  const pull = await runner.openPull({ "::error::x/\n::stop.ts": "export function shout() {\n  debugger;\n}\n" });
  const { code, log } = await runner.job({ event: "pull_request", pull });
  expect(code).toBe(1);
  const [, token = ""] = /::stop-commands::(\w+)/.exec(log) ?? [];
  const told = log.slice(0, log.indexOf("::stop-commands::")) + log.slice(log.lastIndexOf(`::${token}::`));
  for (const line of told.split("\n").filter((each) => each.startsWith("::"))) {
    expect(line).toMatch(/^::(?:add-mask|notice|error file=|error title=|[0-9a-f]{32}::)/);
  }
});

test("a red pull that is mended turns green, its thread is answered, and the job says what it may not do", async () => {
  const pull = await runner.openPull(blocking);
  await runner.job({ event: "pull_request", pull });
  const branch = runner.sandbox.look(pull).pull.head.branch;
  const changes = { "src/loud.ts": "export function shout() {\n  return 1;\n}\n" };
  await runner.ada.push({ repository: runner.repository, branch, changes, message: "Mend it" });
  const { code, outputs, log } = await runner.job({ event: "pull_request", pull });
  expect({ code, verdict: outputs["verdict"] }).toEqual({ code: 0, verdict: "passed" });
  // The token of the template may not resolve threads, which is no failure.
  expect(log).toMatch(/the forge refused an effect \(.*#resolve, kind: forbidden\)/);
  const { remarks, gate } = left(runner, pull);
  expect(remarks.some((body) => body.includes("Fixed in"))).toBe(true);
  expect(gate).toBe("success");
});

test("whoever asks for a review is told when it begins and what came of it, where the workflow wants that", async () => {
  const pull = await runner.openPull(blocking);
  await runner.job({ event: "pull_request", pull });
  await runner.rita.comment(pull, "@drover review");
  const inputs = { enable_start_comment: "true", enable_end_comment: "true", debug_logging: "true" };
  const { log } = await runner.job({ event: "issue_comment", pull, inputs });
  const words = left(runner, pull).comments;
  expect(words.filter((body) => body.includes("Reviewing `"))).toHaveLength(1);
  expect(words.filter((body) => /Reviewed `\w+` as asked: 1 open finding, 1 of them blocks\./.test(body))).toHaveLength(
    1,
  );
  expect(log).toContain("ticked a pull (");
});
