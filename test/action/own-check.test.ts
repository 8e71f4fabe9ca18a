import { afterAll, beforeAll, expect, test } from "vitest";
import type { Account } from "#core/model/account.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { type GithubRunner, openRunner } from "./runner.ts";
import { harmless, left } from "./seen.ts";

/** The job's own check is on the head as well: it is no word about the change. */

let runner: GithubRunner;
let ci: Account;
beforeAll(async () => {
  runner = await openRunner();
  ci = runner.sandbox.addAccount({ login: "builder[bot]", kind: "bot" });
  runner.sandbox.setPermission({ repository: runner.repository, account: ci, permission: "write" });
});
afterAll(async () => {
  await runner.close();
});

async function report(pull: PullRef, by: Account, name: string, state: "passed" | "failed"): Promise<void> {
  const commit = runner.sandbox.look(pull).pull.head.sha;
  await runner.sandbox.as(by).report({ repository: runner.repository, commit, name, state });
}

function withRules(rules: string): Readonly<Record<string, string>> {
  const forge = `{ name: github, kind: github, token: { env: GITHUB_TOKEN }, writeGapMs: 0, apiUrl: "${runner.github.url}" }`;
  return { config: `{ forges: [${forge}], rules: ${rules} }` };
}

test("a run merges where all checks must be green, though its own is running", async () => {
  const pull = await runner.openPull(harmless);
  await report(pull, ci, "build", "passed");
  const asked = {
    pull,
    inputs: withRules("{ merge: { when: when_approved } }"),
    permissions: { contents: "write" },
  } as const;
  await runner.job({ ...asked, event: "pull_request" });
  await runner.rita.review(pull, { event: "approve", body: "Yes." });
  await runner.job({ ...asked, event: "pull_request_review_comment" });
  expect(runner.sandbox.look(pull).pull.state).toBe("merged");
});

test("a run that was cancelled is no failed check, for the next one", async () => {
  const pull = await runner.openPull({ "src/cancelled.ts": "export const cancelled = 1;\n" });
  await report(pull, ci, "build", "passed");
  runner.spoil(({ endpoint }) => (endpoint === "git_fetch" ? { kind: "server_error", isApplied: false } : null));
  const cancelled = await runner.start({ event: "pull_request", pull });
  await cancelled.process.said("something has to be tried again");
  cancelled.process.kill("SIGKILL");
  await cancelled.end();
  runner.spoil(() => null);
  expect(runner.sandbox.look(pull).checks).toMatchObject([{ name: "build" }, { name: "review", state: "failed" }]);
  const { summary } = await runner.job({ event: "issue_comment", pull });
  expect(summary).toMatch(/Checks \| .*1 green/);
});

test("a job of that name in another workflow counts, and so does one that nobody can tell apart", async () => {
  const pull = await runner.openPull({ "src/other.ts": "export const other = 1;\n" });
  await report(pull, ci, "review", "failed");
  const { summary } = await runner.job({ event: "issue_comment", pull });
  expect(summary).toMatch(/Checks \| .*failed: `review`/);
  expect(left(runner, pull).gate).toBe("success");
});
