import { createAppAuth } from "@octokit/auth-app";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Told } from "#forge-like/scene.ts";
import { routes } from "#github-like/rest/routes.ts";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";

/** Walks through the whole API once: every operation answers as GitHub's description says. */
describe("every operation of the REST API", () => {
  let stage: Stage;
  const told = new Map<string, Told>();
  beforeAll(async () => {
    stage = await openStage();
    await walk(stage, told);
  });
  afterAll(() => stage.github.close());

  it("answers with a success", () => {
    const failed = [...told].filter(([, { status }]) => status >= 300);
    expect(failed.map(([name, { status, body }]) => `${name}: ${status} ${JSON.stringify(body)}`)).toEqual([]);
  });

  it("is called here, none left out", () => {
    const names = routes.map(({ name }) => name);
    const called = new Set(stage.github.requests.map(({ endpoint }) => endpoint));
    expect(names.filter((name) => !called.has(name))).toEqual([]);
  });

  it("takes and gives what GitHub's description says", () => {
    expect(stage.github.violations).toEqual([]);
  });
});

async function walk(stage: Stage, told: Map<string, Told>): Promise<void> {
  const { github, head, rita, pull } = stage;
  const ask = async (method: string, path: string, body?: unknown, token = "rita"): Promise<Told> => {
    const answer = await stage.ask(method, path, { token, ...(body !== undefined && { body }) });
    told.set(`${method} ${path}`, answer);
    return answer;
  };
  const post = (path: string, body: unknown, token?: string): Promise<Told> => ask("POST", path, body, token);

  await ask("GET", "/user");
  await ask("GET", "/users/drover[bot]");
  await ask("GET", "/rate_limit");
  await ask("GET", repo);
  await ask("GET", `/repositories/${stage.repository.id}`);
  await ask("GET", `${repo}/collaborators/ada/permission`);
  await ask("GET", `${repo}/contents/b/c.txt`);
  await ask("GET", `${repo}/activity`);

  const comment = await post(`${repo}/issues/1/comments`, { body: "Hello." });
  const atComment = `${repo}/issues/comments/${comment.body.id}`;
  await ask("GET", `${repo}/issues/1/comments`);
  await ask("GET", atComment);
  await ask("PATCH", atComment, { body: "Hello again." });
  await post(`${atComment}/reactions`, { content: "eyes" });
  await ask("GET", `${atComment}/reactions`);
  const thumb = await post(`${repo}/issues/1/reactions`, { content: "+1" });
  await ask("GET", `${repo}/issues/1/reactions`);
  await ask("DELETE", `${repo}/issues/1/reactions/${thumb.body.id}`);

  const remark = { path: "a.txt", line: 2, side: "RIGHT", body: "Why?" };
  const review = await post(`${repo}/pulls/1/reviews`, { body: "Hm.", event: "REQUEST_CHANGES", comments: [remark] });
  const atReview = `${repo}/pulls/1/reviews/${review.body.id}`;
  await ask("GET", `${repo}/pulls/1/reviews`);
  await ask("GET", atReview);
  const remarks = await ask("GET", `${atReview}/comments`);
  const atRemark = `${repo}/pulls/comments/${remarks.body[0].id}`;
  await ask("GET", `${repo}/pulls/1/comments`);
  await ask("GET", atRemark);
  await ask("PATCH", atRemark, { body: "Why not?" });
  await post(`${atRemark}/reactions`, { content: "heart" });
  await ask("GET", `${atRemark}/reactions`);
  await post(`${repo}/pulls/1/comments/${remarks.body[0].id}/replies`, { body: "Because." });
  await ask("PUT", atReview, { body: "Hm, hm." });
  await ask("PUT", `${atReview}/dismissals`, { message: "Fine." });
  await rita.comment(pull, "To go.");
  const pending = await post(`${repo}/pulls/1/reviews`, { body: "Later." });
  await ask("DELETE", `${repo}/pulls/1/reviews/${pending.body.id}`);

  await post(`${repo}/issues/1/labels`, { labels: ["one", "two"] });
  await ask("GET", `${repo}/issues/1/labels`);
  await ask("DELETE", `${repo}/issues/1/labels/two`);
  await post(`${repo}/pulls/1/requested_reviewers`, { reviewers: ["mia"] });
  await post(`${repo}/statuses/${head}`, { state: "success", context: "build", description: "Good." });
  await ask("GET", `${repo}/commits/${head}/status`);

  await walkAsApp(stage, ask);

  await ask("GET", `${repo}/pulls`);
  await ask("GET", `${repo}/pulls/1`);
  await ask("GET", `${repo}/pulls/1/files`);
  await ask("DELETE", atRemark);
  await ask("DELETE", atComment);
  await ask("PUT", `${repo}/pulls/1/merge`, { sha: head });
  expect(github.requests.length).toBeGreaterThan(routes.length - 1);
}

type Ask = (method: string, path: string, body?: unknown, token?: string) => Promise<Told>;

async function walkAsApp({ github, head, now }: Stage, ask: Ask): Promise<void> {
  const { app } = github;
  const auth = createAppAuth({ appId: app.id, privateKey: app.privateKey, timeDifference: skew(now()) });
  const { token: jwt } = await auth({ type: "app" });
  await ask("GET", "/app", undefined, jwt);
  await ask("GET", "/app/installations", undefined, jwt);
  await ask("GET", `/app/installations/${app.installation}`, undefined, jwt);
  await ask("GET", `${repo}/installation`, undefined, jwt);
  await ask("POST", `/app-manifests/${app.slug}/conversions`);
  const narrowing = { repositories: ["tools"], permissions: { checks: "write" } };
  const issued = await ask("POST", `/app/installations/${app.installation}/access_tokens`, narrowing, jwt);
  const { token } = issued.body;
  await ask("GET", "/installation/repositories", undefined, token);
  const output = { title: "Fine", summary: "All is well." };
  const run = { name: "drover", head_sha: head, status: "in_progress", output };
  const made = await ask("POST", `${repo}/check-runs`, run, token);
  const atRun = `${repo}/check-runs/${made.body.id}`;
  await ask("PATCH", atRun, { status: "completed", conclusion: "neutral", output }, token);
  await ask("GET", atRun, undefined, token);
  await ask("GET", `${repo}/commits/${head}/check-runs`, undefined, token);
  await ask("DELETE", "/installation/token", undefined, token);
}

/** The forge's clock stands elsewhere than this machine's. */
function skew(now: number): number {
  return Math.floor((now - Date.now()) / 1000);
}
