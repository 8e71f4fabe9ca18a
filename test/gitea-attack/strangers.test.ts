import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { openStage, type Stage } from "#gitea-like/stage.ts";
import type { Forge } from "#ports/forge.ts";

const reviews = "/repos/mia/tools/pulls/1/reviews";
const place = { path: "a.txt", side: "new", lines: { first: 2, last: 2 } } as const;
const said = { path: "a.txt", new_position: 1, body: "It is fine." };

describe.each(["1.25.5", "1.27.3"])("what others write on version %s", (version) => {
  let stage: Stage;
  let forge: Forge;
  beforeEach(async () => {
    stage = await openStage({ version });
    const clock = { now: () => stage.now(), sleep: async () => undefined };
    forge = createGiteaClient({ url: stage.gitea.url, token: "drover", clock });
  });
  afterEach(() => stage.gitea.close());

  async function submit(body: string): Promise<void> {
    const remarks = [{ ...place, body: "A finding." }];
    await forge.submitReview({ pull: stage.pull, head: stage.head, event: "comment", body, remarks });
  }

  it("joins no thread of ours by a mark that says so, and is a review like any other", async () => {
    await submit("A look.");
    const [thread] = (await forge.fetchPull(stage.pull)).threads;
    const body = { event: "COMMENT", body: `<!-- in reply to ${thread?.id} -->`, comments: [said] };
    await stage.ask("POST", reviews, { token: "otto", body });
    const seen = await forge.fetchPull(stage.pull);
    expect(seen.threads.map(({ comments }) => comments.map(({ author }) => author.login))).toEqual([
      ["drover"],
      ["otto"],
    ]);
    expect(seen.reviews.map(({ author }) => author.login)).toEqual(["drover", "otto"]);
  });

  it("and has not submitted is neither seen nor touched by an account that is shown everything", async () => {
    stage.gitea.siteAdmins.add(stage.accounts.drover.id);
    const body = { event: "PENDING", body: "Later.", comments: [said] };
    const { body: begun } = await stage.ask("POST", reviews, { token: "ada", body });
    await submit("A look.");
    const seen = await forge.fetchPull(stage.pull);
    expect(seen.reviews.map(({ author, state }) => [author.login, state])).toEqual([["drover", "commented"]]);
    expect(seen.threads.map(({ comments }) => comments.map((comment) => comment.body))).toEqual([["A finding."]]);
    const still = await stage.ask("GET", `${reviews}/${begun.id}`, { token: "ada" });
    expect(still.body).toMatchObject({ state: "PENDING", comments_count: 1 });
  });
});
