import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, type Instant, minuteMs } from "#core/model/instant.ts";
import { paceLimits } from "#forges/paced-forge.ts";
import type { Forge } from "#ports/forge.ts";
import { defaultSpans } from "#ports/parts.ts";
import { at } from "#testing/makers.ts";
import { everyCall, someRead, someWrite } from "./every-call.ts";
import { createStage, gapMs, outcomeOf, tooMuch } from "./stage.ts";

describe("writes to a forge whose limits are obeyed", () => {
  it.each(everyCall)("follow each other at a distance, reads do not: $name", async ({ name, kind, make }) => {
    const { clock, recording, worker } = createStage();
    const workers = [worker(), worker(), worker()];
    const made = Promise.all(workers.map(make));
    await clock.advance(minuteMs);
    expect(await made).toEqual(workers.map(() => `answer of ${name}`));
    const expected = kind === "read" ? [0, 0, 0] : [0, gapMs, 2 * gapMs];
    expect(recording.calls.map((call) => call.at - at(0))).toEqual(expected);
  });

  it("wait no longer than they have to", async () => {
    const { clock, recording, worker } = createStage();
    await someWrite(worker());
    await clock.advance(gapMs - 300);
    const second = someWrite(worker());
    await clock.advance(300);
    await second;
    await clock.advance(10 * gapMs);
    await someWrite(worker());
    expect(recording.calls.map((call) => call.at - at(0))).toEqual([0, gapMs, 11 * gapMs]);
  });

  it("do not hold up reads, nor another installation", async () => {
    const { clock, recording, worker } = createStage();
    const writes = Promise.all([1, 2, 3].map(async () => someWrite(worker())));
    await clock.advance(0);
    await someRead(worker());
    await someWrite(worker("another"));
    expect(recording.calls.map(({ name }) => name)).toEqual(["createComment", "fetchPull", "createComment"]);
    await clock.advance(minuteMs);
    await writes;
  });

  it("are not made when a pause began while they waited for their turn", async () => {
    const { clock, recording, worker } = createStage();
    recording.answerWith(tooMuch(at(5)));
    const outcomes = Promise.all([worker(), worker(), worker()].map(async (forge) => outcomeOf(someWrite(forge))));
    await clock.advance(minuteMs);
    const refused = { kind: "rate_limited", isApplied: "no", retryAt: at(5) };
    expect(await outcomes).toEqual([refused, refused, refused]);
    expect(recording.calls).toHaveLength(1);
  });

  it("are given back to the caller when too many wait, and push nobody further back", async () => {
    const { clock, recording, worker } = createStage();
    const places = 1 + Math.floor(paceLimits.turnWaitMsMax / gapMs);
    const workers = Array.from({ length: places + 20 }, () => worker());
    const outcomes = Promise.all(workers.map(async (forge) => outcomeOf(someWrite(forge))));
    await clock.advance(0);
    const retryAt = after(at(0), paceLimits.turnWaitMsMax);
    const late = someWriteAfter(clock.sleep(gapMs), worker());
    await clock.advance(minuteMs);
    const refused = { kind: "rate_limited", isApplied: "no", retryAt };
    expect((await outcomes).filter((outcome) => outcome !== "answer of createComment")).toEqual(
      Array.from({ length: 20 }, () => refused),
    );
    expect(await late).toBe("answer of createComment");
    const expected = Array.from({ length: places + 1 }, (_, index) => index * gapMs);
    expect(recording.calls.map((call) => call.at - at(0))).toEqual(expected);
  });

  it("leave the ledger's margin to the call itself", () => {
    expect(paceLimits.turnWaitMsMax + paceLimits.turnLateMsMax).toBeLessThanOrEqual(defaultSpans.marginMs / 2);
  });

  it("are not made by a worker that slept through its turn: somebody else has taken over by then", async () => {
    const { clock, recording, worker } = createStage();
    await someWrite(worker());
    const second = outcomeOf(someWrite(worker()));
    await clock.advance(0);
    clock.set(at(3));
    await clock.advance(gapMs);
    expect(await second).toEqual({ kind: "unavailable", isApplied: "no", retryAt: null });
    expect(recording.calls).toHaveLength(1);
  });

  it("obey every pause and keep their distance, whatever several workers do", async () => {
    const someCall = fc.record({
      worker: fc.nat({ max: 2 }),
      isWrite: fc.boolean(),
      restMs: fc.constantFrom(0, 0, 200, 5000, 90_000),
      limitMs: fc.option(fc.constantFrom(-1, 700, 3000, 120_000), { freq: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(someCall, { maxLength: 30, size: "max" }), async (plan) => {
        const { clock, recording, worker } = createStage();
        const workers = [worker(), worker(), worker()];
        recording.setDelay(50);
        recording.answerWith(...plan.map(({ limitMs }) => answerOf(limitMs)));
        const made: Promise<unknown>[] = [];
        for (const { worker: index, isWrite, restMs } of plan) {
          const forge = workers[index] ?? worker();
          made.push(outcomeOf(isWrite ? someWrite(forge) : someRead(forge)));
          await clock.advance(restMs);
        }
        await clock.advance(minuteMs);
        await Promise.all(made);
        const writes = recording.calls.filter(({ name }) => name === "createComment");
        for (const [index, write] of writes.slice(1).entries()) {
          expect(write.at - (writes[index]?.at ?? 0)).toBeGreaterThanOrEqual(gapMs);
        }
        expect(recording.disobeyed).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

async function someWriteAfter(wait: Promise<void>, forge: Forge): Promise<unknown> {
  await wait;
  return outcomeOf(someWrite(forge));
}

/** Null: fine. Below zero: turned away without a time. */
function answerOf(limitMs: number | null): ((now: Instant) => Error) | null {
  if (limitMs === null) return null;
  return (now) => tooMuch(limitMs < 0 ? null : after(now, limitMs));
}
