import { describe, expect, it } from "vitest";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Harness } from "#harness/harness.ts";
import { botReviews, gateOf } from "#harness/sights.ts";
import { type Git, GitError } from "#ports/git.ts";
import type { Model } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { type BatchHarnessOptions, buildBatchHarness, changed, recordedCost, sayNothing } from "./batch-harness.ts";

const states = (harness: Harness, pull: PullRef): readonly string[] =>
  botReviews(harness, pull).map(({ state }) => state);
const isSubmit = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && (path === "/batches" || path === "/messages/batches");

function lines(name: string): string {
  return Array.from({ length: 40 }, (_, at) => `const ${name}${at} = "word ${at}";\n`).join("");
}

/** A git that nobody reaches while this is so. */
function awayWhile(isAway: () => boolean): (usual: Git) => Git {
  const refuseWhileAway = (): void => {
    if (isAway()) throw new GitError("unavailable", "nobody is there");
  };
  return (usual) => ({
    ...usual,
    ensureMirror: async (request) => {
      refuseWhileAway();
      return await usual.ensureMirror(request);
    },
    findMirror: async (key) => {
      refuseWhileAway();
      return await usual.findMirror(key);
    },
  });
}

/** A model that is there and has nothing to say. */
const liveWord: Model["converse"] = async ({ shape }) => {
  const read = shape?.safeParse(JSON.parse(sayNothing()));
  const usage = { calls: [], costMicroUsd: 5_000 };
  if (read?.success !== true) return { kind: "unreadable", why: "no", usage };
  return { kind: "answered", value: read.data, said: [{ from: "model", text: sayNothing() }], usage };
};

async function openHarness(options: BatchHarnessOptions) {
  const made = await buildBatchHarness(options);
  return { ...made, start: () => made.harness.open({ files: changed }) };
}

describe.each(providerManners)("a review by batch from %s", (provider) => {
  it.each(["lost", "applied_503", "malformed"] as const)(
    "is found again and not submitted twice when the answer to its submission is %s",
    async (fault) => {
      const { harness, provider: at, start, spent } = await openHarness({ provider });
      at().faults.next(isSubmit, fault);
      const pull = await start();
      await harness.pass(4 * hourMs);
      expect(at().room.batches).toHaveLength(2);
      expect(states(harness, pull)).toEqual(["changes_requested"]);
      expect([await recordedCost(harness, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
    },
  );

  it("is not submitted twice because the list of batches is a minute behind", async () => {
    const { harness, provider: at, start } = await openHarness({ provider, room: { listLagMs: minuteMs } });
    at().faults.next(isSubmit, "lost");
    const pull = await start();
    await harness.pass(4 * hourMs);
    expect(at().room.batches).toHaveLength(2);
    expect(states(harness, pull)).toEqual(["changes_requested"]);
  });

  it("outlives a git that is away when the results come after many hours", async () => {
    let isAway = false;
    const git = awayWhile(() => isAway);
    const { harness, provider: at, start } = await openHarness({ provider, room: { takesMs: 12 * hourMs }, git });
    const pull = await start();
    await harness.pass(11 * hourMs);
    isAway = true;
    await harness.pass(2 * hourMs);
    isAway = false;
    await harness.pass(20 * hourMs);
    expect(at().room.batches).toHaveLength(2);
    expect(states(harness, pull)).toEqual(["changes_requested"]);
  });

  it.each(["dropped", "refused_503", "unreachable", "rate_limited"] as const)(
    "is submitted anew when its submission never arrived (%s)",
    async (fault) => {
      const { harness, provider: at, start } = await openHarness({ provider });
      at().faults.next(isSubmit, fault);
      const pull = await start();
      await harness.pass(4 * hourMs);
      expect(at().room.batches).toHaveLength(2);
      expect(states(harness, pull)).toEqual(["changes_requested"]);
    },
  );

  it("waits for a provider that cannot be asked for hours", async () => {
    const { harness, provider: at, start } = await openHarness({ provider });
    const pull = await start();
    await harness.pass(minuteMs);
    let isDown = true;
    at().faults.next(({ method }) => isDown && method === "GET", "refused_503", 10_000);
    await harness.pass(6 * hourMs);
    expect(states(harness, pull)).toEqual([]);
    isDown = false;
    await harness.pass(2 * hourMs);
    expect(at().room.batches).toHaveLength(2);
    expect(states(harness, pull)).toEqual(["changes_requested"]);
  });

  it("is held live, and says so, when nothing came of the batch", async () => {
    const room = { fate: () => "fails" as const };
    const { harness, provider: at, start } = await openHarness({ provider, room, live: liveWord });
    const pull = await start();
    await harness.pass(2 * hourMs);
    expect(at().room.batches).toHaveLength(1);
    expect(gateOf(harness, pull)).toBe("success");
    expect(botReviews(harness, pull)[0]?.body).toContain("reviewed at once, at the full price");
  });

  it("is held live, and says so, where nobody could wait for it", async () => {
    const { harness, provider: at, start } = await openHarness({ provider, canWait: false, live: liveWord });
    const pull = await start();
    await harness.pass(minuteMs);
    expect(at().room.batches).toEqual([]);
    expect(gateOf(harness, pull)).toBe("success");
    expect(botReviews(harness, pull)[0]?.body).toContain("no provider here accepts batches");
  });

  it("is held live when the provider refuses batches for good", async () => {
    const { harness, provider: at, start } = await openHarness({ provider, live: liveWord });
    at().faults.next(isSubmit, "unreachable", 1_000);
    const pull = await start();
    await harness.pass(3 * hourMs);
    expect(at().room.batches).toEqual([]);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("leaves files unread whose request nobody answered, and does not pass for whole", async () => {
    const room = {
      say: sayNothing,
      requestFate: (_: unknown, index: number) => (index === 0 ? "errored" : "answered"),
    } as const;
    const made = await buildBatchHarness({ provider, room, limits: { callTokensMax: 700 } });
    const files = { "src/a.ts": lines("a"), "src/b.ts": lines("b") };
    const pull = await made.harness.open({ files });
    await made.harness.pass(2 * hourMs);
    expect(made.provider().room.batches[0]?.requests.length).toBeGreaterThan(1);
    expect(gateOf(made.harness, pull)).toBe("pending");
    expect(botReviews(made.harness, pull)[0]?.body).toContain("Nothing came back about 1 file");
  });

  it("is cancelled at the provider when a newer head comes, and that one is reviewed", async () => {
    const { harness, provider: at, start, spent } = await openHarness({ provider });
    const pull = await start();
    await harness.pass(5 * minuteMs);
    await harness.push(pull, { "src/other.ts": "export const other = 1;\n" });
    await harness.pass(4 * hourMs);
    const { batches } = at().room;
    expect(batches.map(({ cancelledAt }) => cancelledAt !== null)).toEqual([true, false, false]);
    expect(botReviews(harness, pull).map(({ commit }) => commit)).toEqual([harness.headOf(pull)]);
    const cost = at().room.billed() * requestMicroUsd;
    expect([await recordedCost(harness, pull), spent()]).toEqual([cost, cost]);
  });

  it("is cancelled at the provider when the head is replaced by force", async () => {
    const { harness, provider: at, start } = await openHarness({ provider });
    const pull = await start();
    await harness.pass(5 * minuteMs);
    const { repository } = harness;
    const changes = { "src/lexer.ts": `${changed["src/lexer.ts"]}export const none = 0;\n` };
    const to = await harness.as(harness.ada).push({ repository, branch: "other", changes, message: "Anew" });
    await harness.as(harness.ada).forcePush({ repository, branch: "work", to });
    await harness.pass(4 * hourMs);
    expect(at().room.batches[0]?.cancelledAt).not.toBeNull();
    expect(botReviews(harness, pull).map(({ commit }) => commit)).toEqual([harness.headOf(pull)]);
  });

  it("is cancelled at the provider when the pull is closed, or reviews are switched off", async () => {
    for (const end of ["close", "disable"] as const) {
      const { harness, provider: at, start, spent } = await openHarness({ provider });
      const pull = await start();
      await harness.pass(5 * minuteMs);
      if (end === "close") await harness.as(harness.ada).editPull(pull, { state: "closed" });
      else await harness.as(harness.rita).comment(pull, "@drover disable-reviews");
      await harness.pass(2 * hourMs);
      expect(at().room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toEqual([true]);
      expect(states(harness, pull)).toEqual([]);
      expect([await recordedCost(harness, pull), spent()]).toEqual([requestMicroUsd, requestMicroUsd]);
    }
  });

  it("is cancelled until it is known to be, and counted once, when the provider does not answer", async () => {
    const { harness, provider: at, start, spent } = await openHarness({ provider });
    const pull = await start();
    await harness.pass(5 * minuteMs);
    at().faults.next(({ path }) => path.endsWith("/cancel"), "refused_503", 2);
    await harness.push(pull, { "src/lexer.ts": null, "src/parser.ts": "export {};\n" });
    await harness.pass(4 * hourMs);
    expect(at().room.batches[0]?.cancelledAt).not.toBeNull();
    const cost = at().room.billed() * requestMicroUsd;
    expect([await recordedCost(harness, pull), spent()]).toEqual([cost, cost]);
  });
});
