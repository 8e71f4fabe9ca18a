import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Told } from "#forge-like/scene.ts";
import { isThere, routes } from "#gitea-like/rest/routes.ts";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";

/** Walks through the whole API once: every operation answers as Gitea's description says. */
describe.each(["1.21.11", "1.25.5", "1.26.0", "1.27.3", "11.0.0+gitea-1.22.0"])(
  "every operation of version %s",
  (version) => {
    let stage: Stage;
    const told = new Map<string, Told>();
    beforeAll(async () => {
      stage = await openStage({ version });
      await walk(stage, told);
    });
    afterAll(() => stage.gitea.close());

    it("answers with a success", () => {
      const failed = [...told].filter(([, { status }]) => status >= 300);
      expect(failed.map(([name, { status, body }]) => `${name}: ${status} ${JSON.stringify(body)}`)).toEqual([]);
    });

    it("is called here, none left out", () => {
      const names = routes.filter((route) => isThere(route, stage.gitea.version)).map(({ name }) => name);
      const called = new Set(stage.gitea.requests.map(({ endpoint }) => endpoint));
      expect(names.filter((name) => !called.has(name))).toEqual([]);
    });

    it("takes and gives what Gitea's description says", () => {
      expect(stage.gitea.violations).toEqual([]);
    });
  },
);

type Ask = (method: string, path: string, body?: unknown, token?: string) => Promise<Told>;

async function walk(stage: Stage, told: Map<string, Told>): Promise<void> {
  const ask: Ask = async (method, path, body, token = "rita") => {
    const answer = await stage.ask(method, path, { token, ...(body !== undefined && { body }) });
    told.set(`${method} ${path}`, answer);
    return answer;
  };
  await walkSite(stage, ask);
  await walkComments(ask);
  await walkReviews(stage, ask);
  await walkLabels(stage, ask);
  await walkHooks(ask);
  await walkPull(stage, ask);
}

async function walkSite({ gitea, repository, head, ask: bare }: Stage, ask: Ask): Promise<void> {
  await ask("GET", "/version");
  await ask("GET", "/settings/api");
  await ask("GET", "/user");
  await ask("GET", "/users/drover");
  await ask("GET", repo);
  await ask("GET", `/repositories/${repository.id}`);
  await ask("GET", `${repo}/collaborators/rita/permission`);
  await ask("GET", `${repo}/contents/b/c.txt?ref=change`);
  if (gitea.version.isFrom(22)) await ask("GET", `${repo}/compare/main...change`);
  await ask("GET", `${repo}/git/commits/${head}`);
  await ask("POST", `${repo}/statuses/${head}`, { state: "success", context: "build", description: "Good." });
  await ask("GET", `${repo}/statuses/${head}?page=1&limit=5`);
  await ask("GET", `${repo}/commits/change/statuses`);
  await ask("GET", `${repo}/commits/${head}/status`);
  // Nobody here is an organization.
  await bare("GET", `${repo}/teams`);
  await bare("GET", "/orgs/mia/labels");
}

async function walkComments(ask: Ask): Promise<void> {
  const comment = await ask("POST", `${repo}/issues/1/comments`, { body: "Hello." });
  const atComment = `${repo}/issues/comments/${comment.body.id}`;
  await ask("GET", `${repo}/issues/1/comments`);
  await ask("GET", atComment);
  await ask("PATCH", atComment, { body: "Hello again." });
  await ask("POST", `${atComment}/reactions`, { content: "eyes" });
  await ask("GET", `${atComment}/reactions`);
  await ask("DELETE", `${atComment}/reactions`, { content: "eyes" });
  await ask("POST", `${repo}/issues/1/reactions`, { content: "+1" });
  await ask("GET", `${repo}/issues/1/reactions`);
  await ask("DELETE", `${repo}/issues/1/reactions`, { content: "+1" });
  await ask("DELETE", atComment);
}

async function walkReviews({ gitea, head }: Stage, ask: Ask): Promise<void> {
  const all = `${repo}/pulls/1/reviews`;
  const remark = { path: "a.txt", new_position: 2, body: "Why?" };
  const verdict = { event: "REQUEST_CHANGES", body: "Hm.", commit_id: head };
  const review = await ask("POST", all, { ...verdict, comments: [remark] });
  const atReview = `${all}/${review.body.id}`;
  await ask("GET", `${all}?limit=50`);
  await ask("GET", atReview);
  const remarks = await ask("GET", `${atReview}/comments`);
  const at = `comments/${remarks.body[0].id}`;
  if (gitea.version.isFrom(26)) {
    await ask("POST", `${repo}/pulls/${at}/resolve`);
    await ask("POST", `${repo}/pulls/${at}/unresolve`);
  }
  if (gitea.version.isFrom(27)) await ask("POST", `${repo}/pulls/1/${at}/replies`, { body: "Because." });
  await ask("POST", `${atReview}/dismissals`, { message: "Fine." }, "mia");
  await ask("POST", `${atReview}/undismissals`, undefined, "mia");
  const pending = await ask("POST", all, { event: "PENDING", body: "Later." });
  await ask("DELETE", `${all}/${pending.body.id}`);
  const begun = await ask("POST", all, { event: "PENDING", body: "Later." });
  await ask("POST", `${all}/${begun.body.id}`, { event: "APPROVED", body: "Good." });
  await ask("POST", `${repo}/pulls/1/requested_reviewers`, { reviewers: ["mia"] });
  await ask("GET", `${all}?page=1`);
  await ask("DELETE", `${repo}/pulls/1/requested_reviewers`, { reviewers: ["mia"] });
}

async function walkLabels({ ada, pull }: Stage, ask: Ask): Promise<void> {
  await ada.editPull(pull, { labels: ["by hand"] });
  const label = await ask("POST", `${repo}/labels`, { name: "bug", color: "#FF0000" });
  await ask("GET", `${repo}/labels?limit=50`);
  await ask("POST", `${repo}/issues/1/labels`, { labels: [label.body.id] });
  await ask("GET", `${repo}/issues/1/labels`);
  await ask("DELETE", `${repo}/issues/1/labels/${label.body.id}`);
}

async function walkHooks(ask: Ask): Promise<void> {
  const config = { url: "http://127.0.0.1:4170/webhooks/gitea", content_type: "json", secret: "s" };
  const hook = { type: "gitea", config, events: ["pull_request"], active: true };
  const made = await ask("POST", `${repo}/hooks`, hook, "mia");
  await ask("GET", `${repo}/hooks`, undefined, "mia");
  await ask("GET", `${repo}/hooks/${made.body.id}`, undefined, "mia");
  await ask("PATCH", `${repo}/hooks/${made.body.id}`, { active: false, events: ["push"] }, "mia");
  await ask("DELETE", `${repo}/hooks/${made.body.id}`, undefined, "mia");
}

async function walkPull({ ada, repository, head, pass, ask: bare }: Stage, ask: Ask): Promise<void> {
  await ask("GET", `${repo}/pulls?state=open&sort=oldest&page=1&limit=50`);
  await ask("GET", `${repo}/pulls/1`);
  await ask("GET", `${repo}/pulls/1.diff`);
  await ask("GET", `${repo}/pulls/1/files`);
  await ask("GET", `${repo}/pulls/1/commits`);
  await ask("GET", `${repo}/issues/1`);
  await ask("PATCH", `${repo}/pulls/1`, { title: "Another change" });
  await ask("GET", `${repo}/issues/1/timeline?page=1&limit=50`);
  await ada.push({ repository, branch: "other", changes: { "d.txt": "d\n" }, message: "Other" });
  await ada.openPull({ repository, branch: "other", base: "main", title: "Other", body: "" });
  await ask("POST", `${repo}/pulls/2/update`);
  pass(10_000);
  await ask("POST", `${repo}/pulls/1/merge`, { Do: "merge", MergeTitleField: "T", head_commit_id: head });
  await ask("GET", `${repo}/pulls/1/merge`);
  const merged = await bare("GET", `${repo}/pulls/2/merge`);
  expect(merged.status).toBe(404);
}
