import { expect, type TestContext } from "vitest";
import { z } from "zod";
import { type ModelProvider, openModelProvider } from "#harness/model-provider.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { JobAsked, JobEnd, Runner } from "./runner.ts";
import { blockData, left, textsOf } from "./seen.ts";

/** Each test has a runner of its own, so that several can go on beside each other. */
export async function openFor({ onTestFinished }: TestContext, open: () => Promise<Runner>): Promise<Runner> {
  const runner = await open();
  onTestFinished(async () => await runner.close());
  return runner;
}

export interface Talk {
  readonly runner: Runner;
  readonly provider: ModelProvider;
  /** One that answers questions with the provider's model, and reviews by the rules. */
  readonly job: (asked: JobAsked) => Promise<JobEnd>;
}

export async function openTalkFor(context: TestContext, open: () => Promise<Runner>): Promise<Talk> {
  const [runner, provider] = await Promise.all([openFor(context, open), openModelProvider()]);
  context.onTestFinished(async () => await provider.close());
  const chain = [{ provider: "anthropic", model: "claude-sonnet-4-5", baseUrl: `${provider.url}/v1` }];
  const config = { models: { main: { chain } }, conversationModel: "main" };
  const env = { ANTHROPIC_API_KEY: "key-of-anthropic" };
  return { runner, provider, job: async (asked) => await runJob(runner, { ...asked, config, env }) };
}

export async function runJob(runner: Runner, asked: JobAsked): Promise<JobEnd> {
  const end = await runner.job(asked);
  // Node tells of what it will not support any more on the same stream.
  expect(end.log).not.toMatch(/Warning:/);
  return end;
}

function threadOn({ sandbox }: Runner, pull: PullRef, path: string) {
  const thread = sandbox.look(pull).threads.find((one) => one.path === path);
  if (thread === undefined) throw new Error(`there is no thread on ${path}`);
  return thread;
}

/** Ada says it in the thread of the finding there. */
export async function reply(runner: Runner, pull: PullRef, path: string, body: string): Promise<void> {
  await runner.ada.reply(pull, threadOn(runner, pull, path).id, body);
}

/** What the bot has said in the thread there, in this order. */
export function remarksOn(runner: Runner, pull: PullRef, path: string): readonly string[] {
  const { comments } = threadOn(runner, pull, path);
  return comments.filter(({ author }) => author.id === runner.accounts.bot.id).map(({ body }) => body);
}

const FindingSeen = z.object({ path: z.string(), state: z.object({ kind: z.string() }) });

/** How the finding there stands, by its block. */
export function stateOf(runner: Runner, pull: PullRef, path: string): string | undefined {
  const findings = blockData(textsOf(left(runner, pull)), "review-finding").map((data) => FindingSeen.parse(data));
  return findings.find((finding) => finding.path === path)?.state.kind;
}

/** What was left of an automatic review is taken up by a job that a question has started, and keeps its gate. */
export async function expectTakenUp(runner: Runner, pull: PullRef): Promise<void> {
  runner.spoil(() => null);
  await runner.ada.comment(pull, "@drover what is wrong with this?");
  const { code, outputs } = await runJob(runner, { event: "issue_comment", pull });
  expect({ code, outputs }).toEqual({
    code: 1,
    outputs: { tasks_executed: "2", has_blocking_issues: "true", verdict: "blocked", cost: "0.000000" },
  });
  const seen = left(runner, pull);
  expect(seen.reviews).toHaveLength(1);
  expect(blockData(textsOf(seen), "question")).toMatchObject([{ status: "ANSWERED" }]);
  expect(seen.gate).toBe("failure");
}
