import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { Agent, FeedbackItem } from "#ports/agent.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { buildTown, manners, type Town } from "#town/town.ts";
import { fileWith, leak } from "./defects.ts";
import { fickleReviewer } from "./fickle-model.ts";

const backDoor = "  openBackDoor(path);";

/** Notes what it is given, and changes nothing. */
function reader(given: FeedbackItem[]): () => Agent {
  return () => ({
    run: async ({ feedback }) => {
      given.push(...feedback);
      return { kind: "failed", why: "it only reads", retryAt: null, costMicroUsd: 0 };
    },
  });
}

async function townOf(manner: Parameters<typeof buildTown>[0]): Promise<{
  readonly town: Town;
  readonly pull: PullRef;
  readonly given: FeedbackItem[];
}> {
  const given: FeedbackItem[] = [];
  const town = await buildTown({
    ...manner,
    rules: { reviews: { roles: [{ name: "general", reviewer: "model" }] }, fix: { onFeedback: true, quietMs: 0 } },
    agent: reader(given),
    parts: ({ reviewers }) => ({
      reviewers: { ...reviewers, model: fickleReviewer(() => [{ defect: leak, telling: 0, fix: backDoor }]) },
    }),
  });
  const pull = await town.open({ by: town.mia, files: { "src/orders.ts": fileWith([leak.code]) } });
  await town.settle();
  await town.pass(2 * minuteMs);
  return { town, pull, given };
}

describe.each(manners)("what a model suggests on a %s", (manner) => {
  it("is shown, and nobody works on it unasked", async () => {
    const { town, pull, given } = await townOf({ manner });
    expect(town.look(pull).threads[0]?.comments[0]?.body).toContain(`\`\`\`suggestion\n${backDoor}`);
    await town.pass(60 * minuteMs);
    expect(given).toEqual([]);
  });

  it("is not slipped in when somebody asks for something else", async () => {
    const { town, pull, given } = await townOf({ manner });
    await town.as(town.rita).comment(pull, "Please add notes.");
    await town.pass(2 * minuteMs);
    expect(given.map(({ body }) => body).filter((body) => body.includes("Please add notes."))).not.toEqual([]);
    expect(given.map(({ body }) => body).filter((body) => body.includes(backDoor))).toEqual([]);
  });

  it("is handed on where a writer tells Drover to mend what it found", async () => {
    const { town, pull, given } = await townOf({ manner });
    await town.as(town.rita).comment(pull, "@drover fix");
    await town.pass(2 * minuteMs);
    expect(given.map(({ body }) => body).filter((body) => body.includes(backDoor))).not.toEqual([]);
  });
});
