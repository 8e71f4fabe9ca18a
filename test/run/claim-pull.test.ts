import { beforeEach, describe, expect, it } from "vitest";
import { claimPull, type PullClaim, renewMs } from "#app/run/claim-pull.ts";
import { after, type Instant, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { SandboxFaultSource } from "#forges/sandbox/sandbox.ts";
import { createMemoryHost } from "#git/memory-host.ts";
import { createMemoryHub } from "#git/memory-hub.ts";
import type { Clock } from "#ports/clock.ts";
import { claimReaction, type Forge, ForgeError } from "#ports/forge.ts";
import { defaultSpans } from "#ports/parts.ts";
import type { PullRef } from "#ports/pull-ref.ts";

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
    const host = createMemoryHost(createMemoryHub());
    const sandbox = createSandbox({ manner, clock, host, quirks: {}, faults: (call) => faults(call) });
    const mia = sandbox.addAccount({ login: "mia", kind: "person" });
    const drover = sandbox.addAccount({ login: "drover", kind: "bot" });
    const repository = await sandbox.createRepository({ name: "acme/tools", by: mia, files: { "a.txt": "one\n" } });
    sandbox.setPermission({ repository, account: drover, permission: "write" });
    await sandbox.as(mia).push({ repository, branch: "b", changes: { "a.txt": "two\n" }, message: "Two" });
    pull = await sandbox.as(mia).openPull({ repository, branch: "b", base: "main", title: "Two", body: "" });
    forge = sandbox.clientOf(drover, clock);
  });

  const tell = (line: string): void => void told.push(line);

  async function claim(signal = new AbortController().signal): Promise<PullClaim> {
    const log = {
      info: () => undefined,
      warn: (_: unknown, words: string) => void warned.push(words),
      error: () => undefined,
    };
    const parts = { forge, clock, spans: defaultSpans, log };
    return await claimPull({ parts, pull, deadline: after(now, timeoutMs), triesMax: 3, signal, tell });
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
    return (await forge.fetchPull(pull)).reactions.every(({ content }) => content !== claimReaction);
  }

  it("is waited for until the run that holds it has ended, and this is told once", async () => {
    const { claim: others } = await forge.claimPull({ pull });
    let isEnded = false;
    onSleep = async () => {
      if (isEnded || now - start < 30 * secondMs) return;
      isEnded = true;
      await forge.releasePull({ pull, claim: others });
    };
    expect((await claim()).kind).toBe("claimed");
    expect(now - start).toBeLessThan(minuteMs);
    expect(told).toEqual(["waiting: another run has been working on this pull for 1 minute"]);
  });

  it("of a run that was killed counts for a minute", async () => {
    await forge.claimPull({ pull });
    const own = await claim();
    expect(now - start).toBeGreaterThanOrEqual(minuteMs);
    expect(now - start).toBeLessThan(2 * minuteMs);
    await release(own);
    expect(await isFree()).toBe(true);
  });

  it("is given up with the time of the run, where others follow each other", async () => {
    await forge.claimPull({ pull });
    onSleep = async () => {
      const { claim: others, ageMs } = await forge.claimPull({ pull });
      if (ageMs < 40 * secondMs) return;
      await forge.releasePull({ pull, claim: others });
      await forge.claimPull({ pull });
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
    await forge.claimPull({ pull });
    now = after(now, 2 * minuteMs);
    let isOtherDone = false;
    // The other run saw the same old claim; it takes away what is there now, and claims.
    onSleep = async () => {
      if (isOtherDone || (await isFree())) return;
      isOtherDone = true;
      const seen = await forge.claimPull({ pull });
      await forge.releasePull({ pull, claim: manner === "gitea" ? seen.claim : "0" });
      await forge.claimPull({ pull });
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
    await forge.claimPull({ pull });
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
      await pass(10 * minuteMs);
      expect((await forge.claimPull({ pull })).ageMs).toBeLessThan(minuteMs);
      expect((await forge.claimPull({ pull })).kind).toBe("held");
    });
    expect(await isFree()).toBe(true);
  });

  it("is taken back from a run that waits and came between", async () => {
    const own = await claim();
    if (own.kind !== "claimed") throw new Error(own.why);
    let waiting: string | undefined;
    const claimOnForge = forge.claimPull.bind(forge);
    await own.hold(async () => {
      forge.claimPull = async (request) => {
        forge.claimPull = claimOnForge;
        waiting = (await claimOnForge(request)).claim;
        return await claimOnForge(request);
      };
      await pass(renewMs);
      const there = await forge.claimPull({ pull });
      expect([there.kind, there.claim === waiting]).toEqual(["held", false]);
    });
    expect(await isFree()).toBe(true);
  });

  it("that could not be made anew is taken back at once from a run that waits", async () => {
    const own = await claim();
    if (own.kind !== "claimed") throw new Error(own.why);
    let waiting: string | undefined;
    const claimOnForge = forge.claimPull.bind(forge);
    await own.hold(async () => {
      forge.claimPull = async (request) => {
        forge.claimPull = claimOnForge;
        waiting = (await claimOnForge(request)).claim;
        throw new ForgeError("unavailable", "no answer", { isApplied: "no" });
      };
      await pass(renewMs);
      const there = await forge.claimPull({ pull });
      expect([there.kind, there.claim === waiting]).toEqual(["held", false]);
    });
    expect(warned).toEqual(["a claim on a pull could not be renewed"]);
    expect(await isFree()).toBe(true);
  });
});
