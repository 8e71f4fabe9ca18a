import { describe, expect, it } from "vitest";
import type { Model, ModelTurn } from "#ports/model.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { aModelJob, reviewerOf, type ScriptLine, says, scriptedModel } from "#testing/model-makers.ts";

const limits = { callTokensMax: 1_500, callsMax: 8 };
const files = ["a", "b", "c"].map((name) => ({
  path: `src/${name}.ts`,
  hunks: [Array.from({ length: 100 }, (_, index) => `+call${name}(number, ${index});`)],
}));

/** Which part of the change a turn is about. */
function partOf({ messages }: ModelTurn<unknown>): string {
  return /=== src\/([abc])\.ts/.exec(JSON.stringify(messages))?.[1] ?? "none";
}

interface Failing {
  readonly model: Model;
  /** The parts in the order in which they were begun. */
  readonly begun: readonly string[];
}

function failing(isFailing: (part: string, tries: number) => boolean): Failing {
  const begun: string[] = [];
  const model = scriptedModel((turn): ScriptLine => {
    const part = partOf(turn);
    if (turn.purpose === "review_find") begun.push(part);
    return isFailing(part, begun.filter((one) => one === part).length) ? { kind: "failed" } : says();
  });
  return { model, begun };
}

async function review({ model }: Failing): Promise<ReviewOutcome> {
  return await reviewerOf(model, { limits }).review(aModelJob({ files }));
}

describe("a review in several parts", () => {
  it("asks about a part once more when the others are done", async () => {
    const world = failing((part, tries) => part === "b" && tries === 1);
    expect(await review(world)).toMatchObject({ kind: "completed", coverage: { filesRead: 3, unread: [] } });
    expect(world.begun).toEqual(["a", "b", "c", "b"]);
  });

  it("keeps what was answered where a part never is, and does not call that part read", async () => {
    const world = failing((part) => part === "b");
    const outcome = await review(world);
    expect(outcome).toMatchObject({
      kind: "completed",
      coverage: { filesRead: 2, unread: [{ path: "src/b.ts", why: "unreadable" }] },
      summary: expect.stringContaining("Nothing came back about 1 file."),
      // Two answers for each part that was heard, and one request in vain for each try.
      costMicroUsd: 600,
    });
    expect(world.begun).toEqual(["a", "b", "c", "b"]);
  });

  it("fails as a whole where nothing was paid for yet, to be tried again", async () => {
    const world = failing((part) => part === "a");
    expect(await review(world)).toMatchObject({ kind: "failed", retryAt: 5_000, costMicroUsd: 100 });
    expect(world.begun).toEqual(["a"]);
  });

  it("is no review in part when it was cancelled", async () => {
    const stop = new AbortController();
    const { model } = failing((part) => part === "c" && (stop.abort(), true));
    const outcome = await reviewerOf(model, { limits }).review(aModelJob({ files, signal: stop.signal }));
    expect(outcome).toMatchObject({ kind: "failed", why: "The review was cancelled." });
  });
});
