import { beforeEach, describe, expect, it } from "vitest";
import { claimPull, type PullClaim, renewMs } from "#app/run/claim-pull.ts";
import { after, type Instant, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxFaultSource } from "#forges/sandbox/sandbox.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { Clock } from "#ports/clock.ts";
import { defaultDurations } from "#ports/dependencies.ts";
import { claimSigns, type Forge, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { silentLog } from "#testing/makers.ts";

const start = instant(1_767_258_000_000);
const timeoutMs = 30 * minuteMs;

async function refuse(): Promise<never> {
  throw new ForgeError("forbidden", "the token may not react", { isApplied: "no" });
}

async function release(own: PullClaim): Promise<void> {
  if (own.kind === "claimed") await own.hold(async () => undefined);
}

describe.each(["github", "gitea"] as const)("a claim in the manner of %s", (manner) => {
  let now: Instant;
  let forge: Forge;
  let pull: PullRef;
  let told: string[];
  let faults: SandboxFaultSource;
  let onSleep: () => Promise<void>;
  let warned: string[];
  let renewals: (() => void)[];
  // Whoever sleeps lets the time pass, on the forge as well; a run that holds a claim makes it anew when the test says so.
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      if (ms === renewMs) return await untilRenewal(signal);
      now = after(now, ms);
      await onSleep();
    },
  };

  async function untilRenewal(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        signal?.removeEventListener("abort", end);
        resolve();
      };
      renewals.push(end);
      signal?.addEventListener("abort", end);
    });
  }

  beforeEach(async () => {
    [now, told, warned, faults, onSleep] = [start, [], [], () => null, async () => undefined];
    renewals = [];
    const { sandbox, accounts, openPull } = await openTestForge({
      manner,
      clock,
      faults: (call) => faults(call),
      people: { mia: "owner", drover: { kind: "bot", may: "write" } },
    });
    pull = await openPull();
    forge = sandbox.clientOf(accounts.drover, clock);
  });

  const tell = (line: string): void => void told.push(line);

  async function claim(signal = new AbortController().signal): Promise<PullClaim> {
    const log = { ...silentLog, warn: (_: unknown, words: string) => void warned.push(words) };
    const dependencies = { forge, clock, durations: defaultDurations, log };
    return await claimPull({ dependencies, pull, deadline: after(now, timeoutMs), triesMax: 3, signal, tell });
  }

  /** So much time passes while the run works; it makes its claim anew as often as it wants to. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += renewMs) {
      now = after(now, renewMs);
      const waiting = renewals.length;
      renewals.at(-1)?.();
      await expect.poll(() => renewals.length, { interval: 1, timeout: minuteMs }).toBeGreaterThan(waiting);
    }
  }

  async function isFree(): Promise<boolean> {
    return (await forge.fetchPull(pull)).reactions.length === 0;
  }

  /** Another run, which knows nothing of this one, claims the pull and goes on at once. */
  async function other(sign: (typeof claimSigns)[number] = "rocket") {
    return await forge.claimPull({ pull, sign });
  }

  /** Another run that starts now, and gives up where it would have to wait. */
  async function starts(): Promise<PullClaim["kind"]> {
    const stop = new AbortController();
    const dependencies = {
      forge,
      clock: { now: () => now, sleep: async () => stop.abort() },
      durations: defaultDurations,
      log: silentLog,
    };
    const options = { dependencies, pull, deadline: after(now, timeoutMs), triesMax: 3, signal: stop.signal };
    return (await claimPull({ ...options, tell: () => undefined })).kind;
  }

  /** Has something happen right after so many of the next calls that change a claim. */
  function interrupt(callsBefore: number, meanwhile: () => Promise<void>): void {
    const plain = { ...forge };
    let calls = 0;
    const counted = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      const result = await call();
      if (++calls !== callsBefore) return result;
      Object.assign(forge, plain);
      await meanwhile();
      return result;
    };
    forge.claimPull = async (request) => await counted(async () => await plain.claimPull(request));
    forge.releasePull = async (request) => await counted(async () => await plain.releasePull(request));
  }

  it("is waited for until the run that holds it has ended, and this is told once", async () => {
    const { claim: others } = await other();
    let isEnded = false;
    onSleep = async () => {
      if (isEnded || now - start < 30 * secondMs) return;
      isEnded = true;
      await forge.releasePull({ pull, claim: others, sign: "rocket" });
    };
    expect((await claim()).kind).toBe("claimed");
    expect(now - start).toBeLessThan(minuteMs);
    expect(told).toEqual(["waiting: another run has been working on this pull for 1 minute"]);
  });

  it("is looked at ever more seldom by a run that waits, since each look writes to the forge", async () => {
    await other();
    let looks = 0;
    onSleep = async () => {
      looks++;
      const { claim: others, ageMs } = await other();
      if (ageMs < 40 * secondMs) return;
      await forge.releasePull({ pull, claim: others, sign: "rocket" });
      await other();
    };
    expect((await claim()).kind).toBe("failed");
    expect(looks).toBeLessThan(timeoutMs / (15 * secondMs));
  });

  it("of a run that was killed counts for a minute", async () => {
    await other();
    const own = await claim();
    expect(now - start).toBeGreaterThanOrEqual(minuteMs);
    expect(now - start).toBeLessThan(2 * minuteMs);
    await release(own);
    expect(await isFree()).toBe(true);
  });

  it("is given up with the time of the run, where others follow each other", async () => {
    await other();
    onSleep = async () => {
      const { claim: others, ageMs } = await other();
      if (ageMs < 40 * secondMs) return;
      await forge.releasePull({ pull, claim: others, sign: "rocket" });
      await other();
    };
    expect(await claim()).toEqual({ kind: "failed", why: expect.stringContaining("another run has been working") });
  });

  it("that was made and never answered may be another run's, and is waited for", async () => {
    let calls = 0;
    faults = ({ endpoint }) => (endpoint === "react_to_pull" && calls++ === 0 ? { kind: "lost_response" } : null);
    expect((await claim()).kind).toBe("claimed");
    expect(now - start).toBeGreaterThanOrEqual(minuteMs);
  });

  it("that two runs find abandoned goes to one of them", async () => {
    await other();
    now = after(now, 2 * minuteMs);
    let isOtherDone = false;
    // The other run saw the same old claim; it takes away what is there now, and claims.
    onSleep = async () => {
      if (isOtherDone || (await isFree())) return;
      isOtherDone = true;
      const seen = await other();
      await forge.releasePull({ pull, claim: manner === "gitea" ? seen.claim : "0", sign: "rocket" });
      await other();
    };
    const claimedAt = now;
    expect((await claim()).kind).toBe("claimed");
    const isTakenAway = manner === "gitea";
    expect(now - claimedAt >= minuteMs).toBe(isTakenAway);
  });

  it("is gone without where the forge refuses it", async () => {
    forge = { ...forge, claimPull: refuse };
    const own = await claim();
    await release(own);
    expect([own.kind, told, warned]).toEqual(["claimed", [], [expect.stringContaining("cannot be claimed")]]);
  });

  it("fails the run where the forge does not answer", async () => {
    faults = () => ({ kind: "timeout", isApplied: false });
    expect(await claim()).toEqual({ kind: "failed", why: expect.stringContaining("the pull could not be claimed") });
  });

  it("is not waited for by a run that was stopped", async () => {
    await other();
    const stop = new AbortController();
    onSleep = async () => stop.abort();
    expect((await claim(stop.signal)).kind).toBe("failed");
    expect(now - start).toBeLessThan(minuteMs);
  });

  it("stays with whoever has it when a run that took too long ends", async () => {
    const own = await claim();
    now = after(now, minuteMs + secondMs);
    await release(own);
    expect(await isFree()).toBe(false);
  });

  it("is kept by a run that works for ten minutes, so that nobody pays for the same review", async () => {
    const own = await claim();
    if (own.kind !== "claimed") throw new Error(own.why);
    await own.hold(async () => {
      for (let minute = 0; minute < 10; minute++) {
        await pass(minuteMs);
        expect(await starts()).toBe("failed");
      }
    });
    expect(await isFree()).toBe(true);
  });

  it.each([0, 1, 2])("is held for a run that starts after %i of the two calls of a renewal", async (callsBefore) => {
    const own = await claim();
    if (own.kind !== "claimed") throw new Error(own.why);
    const found: string[] = [];
    const meanwhile = async (): Promise<void> => void found.push(await starts());
    await own.hold(async () => {
      for (let renewal = 1; renewal <= 3; renewal++) {
        if (callsBefore === 0) await meanwhile();
        else interrupt(callsBefore, meanwhile);
        await pass(renewMs);
      }
    });
    expect(found).toEqual(["failed", "failed", "failed"]);
    expect(await isFree()).toBe(true);
  });

  it.each(claimSigns)("is renewed a little later when a run that starts has just put up a %s", async (sign) => {
    const own = await claim();
    if (own.kind !== "claimed") throw new Error(own.why);
    await own.hold(async () => {
      if (sign === "rocket") await pass(renewMs);
      const taken = await other(sign);
      expect(taken.kind).toBe("claimed");
      now = after(now, renewMs);
      renewals.at(-1)?.();
      onSleep = async () => await forge.releasePull({ pull, claim: taken.claim, sign });
      await expect
        .poll(() => renewals.length, { interval: 1, timeout: minuteMs })
        .toBeGreaterThan(sign === "rocket" ? 2 : 1);
      onSleep = async () => undefined;
      await pass(2 * minuteMs);
      expect(await starts()).toBe("failed");
    });
    expect(await isFree()).toBe(true);
  });

  it.each(["works", "has ended"])(
    "is lost by a run that stood still while another run came, which %s",
    async (what) => {
      const own = await claim();
      if (own.kind !== "claimed") throw new Error(own.why);
      const found = await own.hold(async ({ lost }) => {
        now = after(now, 2 * minuteMs);
        await forge.releasePull({ pull, claim: (await other()).claim, sign: "rocket" });
        const taken = await other();
        now = after(now, secondMs);
        if (what === "has ended") await forge.releasePull({ pull, claim: taken.claim, sign: "rocket" });
        renewals.at(-1)?.();
        await expect.poll(() => lost.aborted, { interval: 1, timeout: minuteMs }).toBe(true);
        return await isFree();
      });
      expect([found, await isFree()]).toEqual(what === "works" ? [false, false] : [true, true]);
    },
  );

  it("stays with a run that stood still while no other run came", async () => {
    const own = await claim();
    if (own.kind !== "claimed") throw new Error(own.why);
    await own.hold(async ({ lost }) => {
      now = after(now, 2 * minuteMs);
      await pass(renewMs);
      expect([lost.aborted, await starts()]).toEqual([false, "failed"]);
    });
    expect(await isFree()).toBe(true);
  });

  it.each(["claimPull", "releasePull"] as const)(
    "is kept when the answer to %s was lost while it was renewed",
    async (call) => {
      const own = await claim();
      if (own.kind !== "claimed") throw new Error(own.why);
      const endpoint = call === "claimPull" ? "react_to_pull" : "unreact_to_pull";
      let lost = 0;
      await own.hold(async () => {
        faults = (asked) => (asked.endpoint === endpoint && lost++ === 0 ? { kind: "lost_response" } : null);
        await pass(3 * minuteMs);
        expect(await starts()).toBe("failed");
      });
      expect([lost > 0, warned]).toEqual([true, ["a claim on a pull could not be renewed"]]);
      expect(await isFree()).toBe(true);
    },
  );
});
