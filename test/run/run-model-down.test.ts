import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelProvider, openModelProvider, talkWords } from "#harness/model-provider.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { badChange, type Called, goodChange, openRunWorld, type RunWorld } from "./run-world.ts";

const key = "key-1f2e3d-not-for-anybody";

describe.each(["github", "gitea"] as const)("in the manner of %s, with a model that is down", (manner) => {
  let world: RunWorld;
  let provider: ModelProvider;
  beforeAll(async () => {
    [world, provider] = await Promise.all([openRunWorld(manner), openModelProvider()]);
  });
  afterAll(async () => {
    await world.close();
    await provider.close();
  });

  const entry = (): string => `{ provider: anthropic, model: claude-sonnet-4-5, baseUrl: '${provider.url}/v1' }`;

  async function run(pull: PullRef, more = ""): Promise<Called> {
    const config = `${more}models: { main: { chain: [${entry()}] } }\nrules: { reviews: { roles: [{ name: rules, reviewer: rules }] } }\n`;
    return await world.drover(["run", "--pull", String(pull.number), "--config", "c.yml", "--json"], {
      env: { ANTHROPIC_API_KEY: key },
      files: { "c.yml": config },
    });
  }

  function answers(pull: PullRef): readonly string[] {
    const { comments } = world.forge.sandbox.look(pull);
    return comments.map(({ body }) => body).filter((body) => body.includes("In answer to `rita`"));
  }

  it("a question fails the run, and the next one edits the same comment", async () => {
    const pull = await world.openPull(goodChange);
    await world.forge.sandbox.as(world.forge.people.rita).comment(pull, "@drover what does it do there?");
    provider.refuse(400);
    const first = await run(pull);
    expect(first.code).toBe(1);
    expect(JSON.parse(first.out)).toMatchObject({
      verdict: "failed",
      tasks: [{ kind: "question", result: "failed" }, {}],
    });
    expect(answers(pull)).toEqual([expect.stringContaining("**This could not be answered yet:**")]);
    expect(answers(pull)[0]).toContain("not now");
    // Whatever wakes the next one, it fails as long as the model does, and says nothing twice.
    expect((await run(pull)).code).toBe(1);
    expect(answers(pull)).toHaveLength(1);
    provider.refuse(null);
    const last = await run(pull);
    expect(JSON.parse(last.out)).toMatchObject({ verdict: "passed", tasks: [{ kind: "question", result: "done" }] });
    expect(last.code).toBe(0);
    expect(answers(pull)).toEqual([expect.stringContaining(talkWords)]);
    const before = provider.asked().length;
    expect((await run(pull)).code).toBe(0);
    expect(provider.asked()).toHaveLength(before);
  });

  it("a question that a budget does not allow for fails the run too, and is answered in the same comment by one that may", async () => {
    const pull = await world.openPull(goodChange);
    await world.forge.sandbox.as(world.forge.people.rita).comment(pull, "@drover what does it do there?");
    const before = provider.asked().length;
    const first = await run(pull, "budgets: { pullUsd: 0.000001 }\n");
    expect(JSON.parse(first.out)).toMatchObject({
      verdict: "failed",
      tasks: [{ kind: "question", result: "failed", why: expect.stringContaining("The budget of this pull") }, {}],
    });
    expect(first.code).toBe(1);
    expect(provider.asked()).toHaveLength(before);
    expect(answers(pull)).toEqual([expect.stringContaining("**This is not answered yet**")]);
    expect((await run(pull)).code).toBe(0);
    expect(answers(pull)).toEqual([expect.stringContaining(talkWords)]);
  });

  it("a dispute is not escalated, and is weighed by the next run in the same comment", async () => {
    const pull = await world.openPull(badChange);
    await run(pull);
    const { sandbox, people } = world.forge;
    const [thread] = sandbox.look(pull).threads;
    if (thread === undefined) throw new Error("the finding has a thread");
    await sandbox.as(people.ada).reply(pull, thread.id, "This is on purpose.");
    provider.refuse(400);
    expect(JSON.parse((await run(pull)).out)).toMatchObject({ verdict: "failed" });
    const replies = (): readonly string[] => sandbox.look(pull).threads[0]?.comments.map(({ body }) => body) ?? [];
    expect(replies()).toHaveLength(3);
    expect(replies()[2]).toContain("could not be answered yet");
    provider.refuse(null);
    await run(pull);
    expect(replies()).toHaveLength(3);
    expect(replies()[2]).toContain(talkWords);
  });
});
