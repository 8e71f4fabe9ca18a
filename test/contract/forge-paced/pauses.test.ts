import { describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { after, dayMs, hourMs, type Instant, instant, minuteMs } from "#core/model/instant.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { at } from "#testing/makers.ts";
import { everyCall, someRead, someWrite } from "./every-call.ts";
import { answerOf } from "./recording-forge.ts";
import { createStage, outcomeOf, type Stage, tooMuch } from "./stage.ts";

/** Turned away once, with what the forge says about when to come back. */
async function turnAway({ recording, worker }: Stage, retryAt: Instant | null, forge = worker()): Promise<unknown> {
  recording.answerWith(tooMuch(retryAt));
  return outcomeOf(someRead(forge));
}

/** Turned away once without a time: for how long nothing is called after that. */
async function quietMinutes(stage: Stage, forge: Forge): Promise<number> {
  const start = stage.clock.now();
  await turnAway(stage, null, forge);
  const callsBefore = stage.recording.calls.length;
  for (let minutes = 1; minutes <= 90; minutes++) {
    await stage.clock.advance(minuteMs);
    const again = stage.worker();
    await outcomeOf(someRead(again));
    if (stage.recording.calls.length > callsBefore) return (stage.clock.now() - start) / minuteMs;
  }
  throw new Error("nothing was called for an hour and a half");
}

function refusedUntil(retryAt: Instant): unknown {
  return { kind: "rate_limited", isApplied: "no", retryAt };
}

describe("a forge whose limits are obeyed", () => {
  it.each(everyCall)("passes $name on as it is, once, and its answer back", async ({ name, request, make }) => {
    const { recording, worker } = createStage();
    expect(await make(worker())).toEqual(answerOf(name));
    expect(recording.calls).toEqual([{ name, request, at: at(0) }]);
  });

  it.each(everyCall)("does not make the call $name in a pause, whoever was told of it", async ({ make }) => {
    const stage = createStage();
    await turnAway(stage, at(5));
    await stage.clock.advance(5 * minuteMs - 1);
    expect(await outcomeOf(make(stage.worker()))).toEqual(refusedUntil(at(5)));
    expect(stage.recording.calls).toHaveLength(1);
    await stage.clock.advance(1);
    await make(stage.worker());
    expect(stage.recording.calls).toHaveLength(2);
  });

  it("lets another installation go on", async () => {
    const stage = createStage();
    await turnAway(stage, at(5));
    expect(await someRead(stage.worker("another"))).toEqual(answerOf("fetchPull"));
  });

  it("lets the repositories of other owners go on where each owner is counted by itself", async () => {
    const stage = createStage();
    const others = { repository: { id: RepositoryId.parse("8"), name: "other/tools" }, number: 3 };
    const same = { repository: { id: RepositoryId.parse("9"), name: "Acme/more" }, number: 4 };
    await turnAway(stage, at(5), stage.worker("test", "by_owner"));
    const second = stage.worker("test", "by_owner");
    expect(await second.fetchPull(others)).toEqual(answerOf("fetchPull"));
    expect(await second.createComment({ pull: others, body: "Hello" })).toEqual(answerOf("createComment"));
    expect(await second.fetchIdentity()).toEqual(answerOf("fetchIdentity"));
    expect(await outcomeOf(second.fetchPull(same))).toEqual(refusedUntil(at(5)));
    expect(await outcomeOf(second.fetchRepository("acme/tools"))).toEqual(refusedUntil(at(5)));
    expect(await outcomeOf(stage.worker("test", "by_owner").createComment({ pull: same, body: "Hello" }))).toEqual(
      refusedUntil(at(5)),
    );
  });

  it("tells the caller the end of the pause, and leaves open what the forge left open", async () => {
    const { recording, worker } = createStage();
    recording.answerWith(tooMuch(null, "unknown"));
    expect(await outcomeOf(someWrite(worker()))).toEqual({
      kind: "rate_limited",
      isApplied: "unknown",
      retryAt: at(1),
    });
  });

  it("keeps the error of the forge as the cause", async () => {
    const { recording, worker } = createStage();
    const told = tooMuch(at(5));
    recording.answerWith(told);
    await expect(someRead(worker())).rejects.toMatchObject({ message: told.message, cause: told });
  });

  it("waits a minute where no time is told, twice as long each time in a row, and an hour at most", async () => {
    const stage = createStage();
    const forge = stage.worker();
    const minutes: unknown[] = [];
    for (let round = 0; round < 8; round++) minutes.push(await quietMinutes(stage, forge));
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it("begins with a minute again after an answer", async () => {
    const stage = createStage();
    const forge = stage.worker();
    expect([await quietMinutes(stage, forge), await quietMinutes(stage, forge)]).toEqual([1, 2]);
    await someRead(forge);
    expect(await quietMinutes(stage, forge)).toBe(1);
  });

  it("does not take a failure for an answer", async () => {
    const stage = createStage();
    const forge = stage.worker();
    expect(await quietMinutes(stage, forge)).toBe(1);
    stage.recording.answerWith(new ForgeError("unavailable", "acme/tools#12: 502", { isApplied: "unknown" }));
    await outcomeOf(someRead(forge));
    expect(await quietMinutes(stage, forge)).toBe(2);
  });

  it("counts calls that were turned away side by side as one", async () => {
    const { clock, recording, worker } = createStage();
    const forge = worker();
    recording.setDelay(10);
    recording.answerWith(tooMuch(null), tooMuch(null), tooMuch(null), tooMuch(null));
    const outcomes = Promise.all([1, 2, 3, 4].map(async () => outcomeOf(someRead(forge))));
    await clock.advance(10);
    const until = after(at(1), 10);
    expect(await outcomes).toEqual([1, 2, 3, 4].map(() => refusedUntil(until)));
  });

  it("does not take the answer to an earlier call for the end of the trouble", async () => {
    const stage = createStage();
    const forge = stage.worker();
    stage.recording.setDelay(90_000);
    const slow = someRead(forge);
    await stage.clock.advance(0);
    stage.recording.setDelay(0);
    expect(await quietMinutes(stage, forge)).toBe(1);
    await stage.clock.advance(minuteMs);
    await slow;
    expect(await quietMinutes(stage, forge)).toBe(2);
  });

  it("obeys the time that it was told, however short or long, up to a day", async () => {
    for (const ms of [1, minuteMs, 5 * hourMs, dayMs]) {
      const until = after(at(0), ms);
      expect(await turnAway(createStage(), until)).toEqual(refusedUntil(until));
    }
    expect(await turnAway(createStage(), after(at(0), 400 * dayMs))).toEqual(refusedUntil(after(at(0), dayMs)));
  });

  it.each([0, -1, -hourMs])("takes a time that is over (%d ms) for none", async (ms) => {
    expect(await turnAway(createStage(), instant(at(0) + ms))).toEqual(refusedUntil(at(1)));
  });

  it("does not end a pause early because of a later, shorter one", async () => {
    const { clock, recording, worker } = createStage();
    recording.setDelay(10);
    recording.answerWith(tooMuch(at(10)), tooMuch(at(2)));
    const both = Promise.all([outcomeOf(someRead(worker())), outcomeOf(someRead(worker()))]);
    await clock.advance(10);
    await both;
    await clock.advance(5 * minuteMs);
    expect(await outcomeOf(someRead(worker()))).toEqual(refusedUntil(at(10)));
  });

  it("passes every other failure on as it is, and makes no pause of it", async () => {
    const { recording, worker } = createStage();
    const failures = [
      new ForgeError("forbidden", "no", { isApplied: "no", retryAt: at(5) }),
      new ForgeError("unavailable", "502", { isApplied: "unknown" }),
      new Error("a bug"),
    ];
    for (const failure of failures) {
      recording.answerWith(failure);
      await expect(someRead(worker())).rejects.toBe(failure);
    }
    expect(await someRead(worker())).toEqual(answerOf("fetchPull"));
  });
});
