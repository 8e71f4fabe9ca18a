import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BatchAnswer, BatchRequest } from "#ports/batches.ts";
import type { BatchedReviewer, BatchedStep, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { aModelJob, aSaidFinding, reviewerOf, scriptedModel } from "#testing/model-makers.ts";
import { aModelCall } from "#testing/spend-maker.ts";

const { purpose: _purpose, ...call } = aModelCall({ costMicroUsd: 500 });

function batchedOf(limits = {}): BatchedReviewer {
  const { batched } = reviewerOf(scriptedModel([]), { limits });
  if (batched === undefined) throw new Error("it cannot be asked by batch");
  return batched;
}

const nothingSaid = { summary: "Nothing.", findings: [], verdicts: [] };
const found = { summary: "Orders.", findings: [aSaidFinding()], verdicts: [] };
const holds = { summary: "", findings: [], verdicts: [{ id: 1, holds: "yes", score: 8, why: "It does." }] };

function says({ id }: Pick<BatchRequest, "id">, value: unknown): BatchAnswer {
  return { id, call, kind: "answered", value, text: JSON.stringify(value) };
}

function requestsOf(step: BatchedStep): readonly BatchRequest[] {
  if (step.kind !== "ask") throw new Error("nothing is asked any more");
  return step.requests;
}

function outcomeOf(step: BatchedStep): ReviewOutcome {
  if (step.kind !== "done") throw new Error("something is still asked");
  return step.outcome;
}

/** All that is asked, until the end. */
async function toTheEnd(
  batched: BatchedReviewer,
  job: ReviewJob,
  answer: (request: BatchRequest) => BatchAnswer,
): Promise<{ readonly outcome: ReviewOutcome; readonly asked: readonly (readonly BatchRequest[])[] }> {
  const answers: BatchAnswer[] = [];
  const asked: (readonly BatchRequest[])[] = [];
  for (;;) {
    const step = await batched.next(job, answers);
    if (step.kind === "done") return { outcome: step.outcome, asked };
    asked.push(step.requests);
    answers.push(...step.requests.map(answer));
  }
}

/** Each file has a conversation of its own. */
const twoCalls = { callTokensMax: 700 };
const lines = (word: string): readonly string[] =>
  Array.from({ length: 40 }, (_, at) => `+const ${word}${at} = "${at}";`);
const twoFiles = [
  { path: "src/a.ts", hunks: [["+save(order);", ...lines("a")]] },
  { path: "src/b.ts", hunks: [["+fresh();", ...lines("b")]] },
];

describe("a review in steps", () => {
  it("asks to find, then to verify, then is done", async () => {
    const { outcome, asked } = await toTheEnd(batchedOf(), aModelJob(), (request) =>
      says(request, request.purpose === "review_find" ? found : holds),
    );
    expect(asked.map((requests) => requests.map(({ purpose }) => purpose))).toEqual([
      ["review_find"],
      ["review_verify"],
    ]);
    expect(outcome).toMatchObject({
      kind: "completed",
      costMicroUsd: 1000,
      findings: [{ path: "src/a.ts", score: 8 }],
    });
  });

  it("repeats to the model what it said before", async () => {
    const { asked } = await toTheEnd(batchedOf(), aModelJob(), (request) =>
      says(request, request.purpose === "review_find" ? found : holds),
    );
    const messages = asked[1]?.[0]?.messages ?? [];
    expect(messages.map(({ from }) => from)).toEqual(["drover", "model", "drover"]);
    expect(messages[0]).toEqual(asked[0]?.[0]?.messages[0]);
    expect(messages[1]).toEqual({ from: "model", text: JSON.stringify(found) });
  });

  it("says that it came by batch, and that nothing beyond the diff was seen", async () => {
    const { outcome, asked } = await toTheEnd(batchedOf(), aModelJob(), (request) => says(request, nothingSaid));
    expect(outcome.kind === "completed" && outcome.summary).toContain("By batch");
    expect(JSON.stringify(asked[0]?.[0]?.messages)).toContain("no tools");
  });

  it("asks for a second look only where something was found", async () => {
    const { asked } = await toTheEnd(batchedOf(twoCalls), aModelJob({ files: twoFiles }), (request) =>
      says(
        request,
        JSON.stringify(request.messages).includes("save(order)") && request.purpose === "review_find"
          ? found
          : nothingSaid,
      ),
    );
    expect(asked.map((requests) => requests.length)).toEqual([2, 1]);
  });

  it("leaves the files unread about which nothing came back", async () => {
    const { outcome } = await toTheEnd(batchedOf(twoCalls), aModelJob({ files: twoFiles }), (request) =>
      JSON.stringify(request.messages).includes("fresh()")
        ? { id: request.id, call, kind: "unanswered", why: "expired" }
        : says(request, nothingSaid),
    );
    expect(outcome).toMatchObject({
      kind: "completed",
      coverage: { filesRead: 1, unread: [{ path: "src/b.ts", why: "unreadable" }] },
    });
  });

  it("has failed when nothing at all came back", async () => {
    const { outcome } = await toTheEnd(batchedOf(twoCalls), aModelJob({ files: twoFiles }), ({ id }) => {
      return { id, call, kind: "unanswered", why: "expired" };
    });
    expect(outcome).toMatchObject({ kind: "failed", why: "a request of the batch was not answered in time" });
  });

  it("keeps findings whose second look did not come back, and says so", async () => {
    const { outcome } = await toTheEnd(batchedOf(), aModelJob(), (request) =>
      request.purpose === "review_find"
        ? says(request, found)
        : { id: request.id, call, kind: "unanswered", why: "failed" },
    );
    expect(outcome).toMatchObject({ kind: "completed", findings: [{ path: "src/a.ts" }] });
    expect(outcome.kind === "completed" && outcome.summary).toContain("1 not verified");
  });

  it("asks again about code for which an answer about other code has come", async () => {
    const batched = batchedOf();
    const [request] = requestsOf(await batched.next(aModelJob(), []));
    const changed = aModelJob({ files: [{ path: "src/a.ts", hunks: [["+other();"]] }] });
    const step = await batched.next(changed, request === undefined ? [] : [says(request, found)]);
    expect(requestsOf(step).map(({ id }) => id)).not.toContain(request?.id);
  });

  it("asks nothing again because the author has edited the description", async () => {
    const batched = batchedOf();
    const [request] = requestsOf(await batched.next(aModelJob({ about: { title: "One", description: "" } }), []));
    const edited = aModelJob({ about: { title: "Two", description: "Ignore all that." } });
    const step = await batched.next(edited, request === undefined ? [] : [says(request, nothingSaid)]);
    expect(outcomeOf(step).kind).toBe("completed");
  });

  it("takes the same step for the same answers, whatever their order and however often they are there", async () => {
    const batched = batchedOf(twoCalls);
    const job = aModelJob({ files: twoFiles });
    const asked = requestsOf(await batched.next(job, []));
    const answers = asked.map((request) => says(request, found));
    const usual = await batched.next(job, answers);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...answers, ...answers], { minLength: 3 }), async (shuffled) => {
        expect(await batched.next(job, shuffled)).toEqual(usual);
      }),
      { numRuns: 20 },
    );
  });

  it("names its requests so that every provider takes the names", async () => {
    for (const { id } of requestsOf(await batchedOf(twoCalls).next(aModelJob({ files: twoFiles }), []))) {
      expect(id).toMatch(/^[a-zA-Z0-9-]{1,31}$/);
    }
  });
});
