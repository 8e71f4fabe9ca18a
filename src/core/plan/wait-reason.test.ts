import { describe, expect, it } from "vitest";
import type { Condition } from "#core/decision/situation.ts";
import { derive } from "#core/derive/derive.ts";
import { instant } from "#core/model/instant.ts";
import {
  mergeabilityUnknown,
  type OpenWrite,
  type RunProgress,
  type RunTick,
  waitReason,
} from "#core/plan/wait-reason.ts";
import { anObservation } from "#testing/makers.ts";

const seen = anObservation({});
const quiet = { kind: "looked", seen, situation: derive(seen), did: [] } as const satisfies RunTick;
const at = instant(5);

function standing(change: Partial<RunProgress>): RunProgress {
  return { report: quiet, retried: [], open: [], triesMax: 3, ...change };
}

function open(state: OpenWrite["state"], attempts = 1): OpenWrite {
  return { state, attempts };
}

function waiting(missing: readonly Condition["kind"][], kind: "unknown" | "conflicting"): RunTick {
  return {
    ...quiet,
    seen: { ...seen, pull: { ...seen.pull, mergeability: { kind } } },
    situation: { ...quiet.situation, merge: { kind: "waiting", missing } },
  };
}

describe("what a run waits for", () => {
  it("is not what people, checks or timers will do", () => {
    expect(waitReason(standing({}))).toBeNull();
    const did = [{ action: { kind: "look_again", key: "look_again", at }, outcome: { kind: "done", result: null } }];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand of the key is of no matter here.
    const report = { ...quiet, did } as unknown as RunTick;
    expect(waitReason(standing({ report }))).toBeNull();
  });

  it("is the first look, and one that showed the past", () => {
    expect(waitReason(standing({ report: undefined }))).not.toBeNull();
    expect(waitReason(standing({ report: { kind: "stale" } }))).not.toBeNull();
    expect(waitReason(standing({ report: { kind: "settled" } }))).not.toBeNull();
  });

  it("is whatever can be tried again, and not what was tried too often", () => {
    const entry = { queue: "review", key: "k", at } as const;
    expect(waitReason(standing({ retried: [{ ...entry, attempt: 2 }] }))).not.toBeNull();
    expect(waitReason(standing({ retried: [{ ...entry, attempt: 3 }] }))).toBeNull();
  });

  it("is a forge that finds out whether a pull can be merged, where nothing else is missing", () => {
    expect(waitReason(standing({ report: waiting(["mergeable"], "unknown") }))).toBe(mergeabilityUnknown);
    expect(waitReason(standing({ report: waiting(["mergeable", "approval"], "unknown") }))).toBeNull();
    expect(waitReason(standing({ report: waiting(["mergeable"], "conflicting") }))).toBeNull();
  });

  it("is never a pull that cannot be looked at", () => {
    const report: RunTick = { kind: "stale" };
    const retried = [{ queue: "tick", key: "k", attempt: 3, at }] as const;
    expect(waitReason(standing({ report, retried }))).toBeNull();
  });

  it("is a write whose outcome nobody knows", () => {
    expect(waitReason(standing({ open: [open({ kind: "unknown" })] }))).not.toBeNull();
    expect(waitReason(standing({ open: [open({ kind: "sending" })] }))).not.toBeNull();
  });

  it.each([
    ["unavailable", 1, true],
    ["rate_limited", 2, true],
    ["unavailable", 3, false],
    ["forbidden", 1, false],
    ["refused", 1, false],
  ])("is a write that met %s, %i times: %s", (refusal, attempts, isWaitedFor) => {
    const waits = waitReason(standing({ open: [open({ kind: "ready", refusal }, attempts)] }));
    expect(waits !== null).toBe(isWaitedFor);
  });
});
