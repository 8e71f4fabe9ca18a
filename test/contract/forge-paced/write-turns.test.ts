import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CommentId, RepositoryId } from "#core/model/ids.ts";
import { after, type Instant, minuteMs } from "#core/model/instant.ts";
import { turnLimits } from "#forges/write-turns.ts";
import { defaultDurations } from "#ports/dependencies.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { at, sha, somePull } from "#testing/makers.ts";
import { everyCall, someRead, someWrite } from "./every-call.ts";
import { answerOf } from "./recording-forge.ts";
import { createStage, gapMs, outcomeOf, tooMuch } from "./stage.ts";

describe("writes to a forge whose limits are obeyed", () => {
  it.each(everyCall)("follow each other at a distance, reads do not: $name", async ({ name, kind, make }) => {
    const { clock, recording, worker } = createStage();
    const workers = [worker(), worker(), worker()];
    const made = Promise.all(workers.map(make));
    await clock.advance(minuteMs);
    expect(await made).toEqual(workers.map(() => answerOf(name)));
    const expected = kind === "read" ? [0, 0, 0] : [0, gapMs, 2 * gapMs];
    expect(recording.calls.map((call) => call.at - at(0))).toEqual(expected);
  });

  it("tell the forge nothing of how urgent they are", async () => {
    const { clock, recording, worker } = createStage();
    const pull: PullRef = somePull;
    const comment = CommentId.parse("c1");
    const written = Promise.all([
      worker().createComment({ pull, body: "a", urgency: "upkeep" }),
      worker().editComment({ pull, comment, body: "b", urgency: "people" }),
    ]);
    await clock.advance(minuteMs);
    await written;
    const requests = recording.calls.map(({ request }) => request);
    expect(requests).toContainEqual({ pull, body: "a" });
    expect(requests).toContainEqual({ pull, comment, body: "b" });
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
    const places = 1 + Math.floor(turnLimits.waitMsMax / gapMs);
    const workers = Array.from({ length: places + 20 }, () => worker());
    const outcomes = Promise.all(workers.map(async (forge) => outcomeOf(someWrite(forge))));
    await clock.advance(0);
    const retryAt = after(at(0), turnLimits.waitMsMax);
    const late = someWriteAfter(clock.sleep(gapMs), worker());
    await clock.advance(minuteMs);
    const refused = { kind: "rate_limited", isApplied: "no", retryAt };
    expect(await outcomes).toEqual([
      ...Array.from({ length: places }, () => answerOf("createComment")),
      ...Array.from({ length: 20 }, () => refused),
    ]);
    expect(await late).toEqual(answerOf("createComment"));
    const expected = Array.from({ length: places + 1 }, (_, index) => index * gapMs);
    expect(recording.calls.map((call) => call.at - at(0))).toEqual(expected);
  });

  it("leave the ledger's margin to the call itself", () => {
    expect(turnLimits.waitMsMax + turnLimits.lateMsMax).toBeLessThanOrEqual(defaultDurations.marginMs / 2);
  });

  it("that answer people do not wait behind those that nobody waits for", async () => {
    const { clock, recording, worker } = createStage();
    const forge = worker();
    const upkeep = Array.from({ length: 6 }, () => forge.editComment(edit(pullOf("1", 1))));
    await clock.advance(2 * gapMs + 1);
    const gate = forge.setGate({ pull: pullOf("1", 2), head: sha(1), state: "success", words: "Done" });
    const answer = forge.createComment({ pull: pullOf("1", 3), body: "Because." });
    await clock.advance(minuteMs);
    await Promise.all([...upkeep, gate, answer]);
    const names = recording.calls.map(({ name }) => name);
    // The turn that everybody has a claim on comes in between.
    expect(names.slice(3, 7)).toEqual(["createComment", "setGate", "editComment", "editComment"]);
  });

  it("that answer people come first, also in the repository that had the last turn", async () => {
    const { clock, recording, worker } = createStage();
    const forge = worker();
    await forge.createComment(words(pullOf("1", 1)));
    const upkeep = forge.editComment(edit(pullOf("2", 1)));
    const answer = forge.createComment(words(pullOf("1", 2)));
    await clock.advance(minuteMs);
    await Promise.all([upkeep, answer]);
    expect(recording.calls.map(({ name }) => name)).toEqual(["createComment", "createComment", "editComment"]);
  });

  it("go around among repositories, and among the authors of one", async () => {
    const { clock, recording, worker } = createStage();
    const forge = worker();
    const flood = Array.from({ length: 5 }, (_, number) => outcomeOf(forge.editComment(edit(pullOf("1", number)))));
    const other = forge.editComment(edit(pullOf("2", 1)));
    await clock.advance(minuteMs);
    await Promise.all([...flood, other]);
    const repositories = recording.calls.map(({ request }) => repositoryOf(request));
    expect(repositories).toEqual(["1", "2", "1", "1", "1", "1"]);
  });

  it("of a thousand pulls of one repository keep out none of another, and come back one after the other", async () => {
    const { clock, recording, worker } = createStage();
    const forge = worker();
    const flood = Array.from({ length: 1000 }, (_, number) =>
      outcomeOf(forge.createComment(words(pullOf("1", number)))),
    );
    await clock.advance(gapMs / 2);
    // The place of the first one, who has had the turn, is taken at once.
    const more = [1, 2, 3].map(async (number) => outcomeOf(forge.createComment(words(pullOf("1", number)))));
    await clock.advance(0);
    const other = forge.editComment(edit(pullOf("2", 1)));
    await clock.advance(3 * gapMs);
    await other;
    expect(recording.calls.map(({ request }) => repositoryOf(request))).toContain("2");
    await clock.advance(minuteMs);
    await Promise.all(more);
    const times = (await Promise.all(flood)).flatMap((outcome) => retryOf(outcome));
    const apart = times.toSorted((left, right) => left - right).slice(1, 500);
    expect(times.length).toBeGreaterThan(980);
    expect(apart.every((time, index) => index === 0 || time - (apart[index - 1] ?? 0) >= gapMs)).toBe(true);
  });

  it("that many people wait for do not silence the rest", async () => {
    const { clock, recording, worker } = createStage();
    const forge = worker();
    const crowd = Array.from({ length: 40 }, (_, number) => async () => {
      await clock.sleep((number * gapMs) / 2);
      return await outcomeOf(forge.createComment(words(pullOf(String(number % 4), number))));
    });
    const answers = Promise.all(crowd.map((answer) => answer()));
    const quiet = outcomeOf(forge.editComment(edit(pullOf("quiet", 1))));
    await clock.advance(minuteMs);
    await answers;
    expect(await quiet).toEqual(answerOf("editComment"));
    expect(recording.calls.findIndex(({ name }) => name === "editComment")).toBeLessThan(8);
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
        recording.answerWith(...plan.map(({ limitMs }) => plannedOf(limitMs)));
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

function pullOf(repository: string, number: number): PullRef {
  return { repository: { id: RepositoryId.parse(repository), name: `acme/${repository}` }, number: number + 1 };
}

function edit(pull: PullRef): Parameters<Forge["editComment"]>[0] {
  return { pull, comment: CommentId.parse("c1"), body: "All is well." };
}

function words(pull: PullRef): Parameters<Forge["createComment"]>[0] {
  return { pull, body: "Because." };
}

function repositoryOf(request: unknown): string {
  return z.object({ pull: z.object({ repository: z.object({ id: z.string() }) }) }).parse(request).pull.repository.id;
}

function retryOf(outcome: unknown): readonly number[] {
  const found = z.object({ retryAt: z.number() }).safeParse(outcome);
  return found.success ? [found.data.retryAt] : [];
}

async function someWriteAfter(wait: Promise<void>, forge: Forge): Promise<unknown> {
  await wait;
  return outcomeOf(someWrite(forge));
}

/** Null: fine. Below zero: turned away without a time. */
function plannedOf(limitMs: number | null): ((now: Instant) => Error) | null {
  if (limitMs === null) return null;
  return (now) => tooMuch(limitMs < 0 ? null : after(now, limitMs));
}
