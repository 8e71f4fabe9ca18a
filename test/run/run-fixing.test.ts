import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PullRef } from "#ports/pull-ref.ts";
import { type Called, goodChange, nextSecond, openRunWorld, type RunWorld } from "./run-world.ts";

describe.each(["github", "gitea"] as const)("in the manner of %s, a fix that comes to nothing", (manner) => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await openRunWorld(manner);
  });
  afterAll(async () => {
    await world.close();
  });

  async function run(pull: PullRef, fix: string): Promise<Called> {
    return await world.drover(["run", "--pull", String(pull.number), "--config", "c.yml", "--json"], {
      files: { "c.yml": `rules: { fix: ${fix} }\n` },
    });
  }

  async function asked(words: string): Promise<PullRef> {
    const pull = await world.openPull(goodChange);
    const rita = world.forge.sandbox.as(world.forge.people.rita);
    await rita.comment(pull, words);
    await nextSecond();
    await rita.comment(pull, "@drover fix");
    await nextSecond();
    return pull;
  }

  function told(pull: PullRef, words: string): readonly string[] {
    const { comments } = world.forge.sandbox.look(pull);
    return comments.map(({ body }) => body).filter((body) => body.includes(words) && !body.includes("drover:managed"));
  }

  it("because nobody suggested how fails the run, with the reason in one comment, in the output and in the log", async () => {
    const pull = await asked("Please rename it.");
    const ended = await run(pull, "{ attemptsMax: 1 }");
    const why = "The session ended without a change";
    expect(JSON.parse(ended.out)).toMatchObject({
      verdict: "failed",
      tasks: expect.arrayContaining([
        expect.objectContaining({ kind: "fix", result: "failed", why: expect.stringContaining(why) }),
      ]),
    });
    expect(ended.code).toBe(1);
    expect(told(pull, why)).toHaveLength(1);
    expect(ended.err).toContain(why);
  });

  it("because its change was refused fails the run, with the reason in one comment", async () => {
    const pull = await world.openPull({ ".github/workflows/ci.yml": "on: push\n" });
    const rita = world.forge.sandbox.as(world.forge.people.rita);
    await rita.review(pull, {
      event: "comment",
      body: "Please.",
      remarks: [
        {
          path: ".github/workflows/ci.yml",
          side: "new",
          lines: { first: 1, last: 1 },
          body: "```suggestion\non: pull_request\n```",
        },
      ],
    });
    await nextSecond();
    await rita.comment(pull, "@drover fix");
    await nextSecond();
    const ended = await run(pull, "{ attemptsMax: 1 }");
    const why = "The change was refused: .github/workflows/ci.yml is protected";
    expect(JSON.parse(ended.out)).toMatchObject({ verdict: "failed" });
    expect(ended.code).toBe(1);
    expect(told(pull, why)).toHaveLength(1);
  });
});
