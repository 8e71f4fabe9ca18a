import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import type { Agent, FeedbackItem } from "#ports/agent.ts";
import type { PullRef } from "#ports/pull-ref.ts";
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

async function harnessOf(manner: Parameters<typeof buildHarness>[0]): Promise<{
  readonly harness: Harness;
  readonly pull: PullRef;
  readonly given: FeedbackItem[];
}> {
  const given: FeedbackItem[] = [];
  const harness = await buildHarness({
    ...manner,
    rules: { reviews: { roles: [{ name: "general", reviewer: "model" }] }, fix: { onFeedback: true, quietMs: 0 } },
    agent: reader(given),
    parts: ({ reviewers }) => ({
      reviewers: { ...reviewers, model: fickleReviewer(() => [{ defect: leak, telling: 0, fix: backDoor }]) },
    }),
  });
  const pull = await harness.open({ by: harness.mia, files: { "src/orders.ts": fileWith([leak.code]) } });
  await harness.settle();
  await harness.pass(2 * minuteMs);
  return { harness, pull, given };
}

describe.each(manners)("what a model suggests on a %s", (manner) => {
  it("is shown, and nobody works on it unasked", async () => {
    const { harness, pull, given } = await harnessOf({ manner });
    expect(harness.look(pull).threads[0]?.comments[0]?.body).toContain(`\`\`\`suggestion\n${backDoor}`);
    await harness.pass(60 * minuteMs);
    expect(given).toEqual([]);
  });

  it("is not slipped in when somebody asks for something else", async () => {
    const { harness, pull, given } = await harnessOf({ manner });
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(2 * minuteMs);
    expect(given.map(({ body }) => body).filter((body) => body.includes("Please add notes."))).not.toEqual([]);
    expect(given.map(({ body }) => body).filter((body) => body.includes(backDoor))).toEqual([]);
  });

  it("is handed on where a writer tells Drover to mend what it found", async () => {
    const { harness, pull, given } = await harnessOf({ manner });
    await harness.as(harness.rita).comment(pull, "@drover fix");
    await harness.pass(2 * minuteMs);
    expect(given.map(({ body }) => body).filter((body) => body.includes(backDoor))).not.toEqual([]);
  });
});
