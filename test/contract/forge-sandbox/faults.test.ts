import { describe, expect, it } from "vitest";
import { hourMs, secondMs } from "#core/model/instant.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import { stillClock } from "#testing/still-clock.ts";
import { openHarness } from "./harness.ts";

const manners = ["github", "gitea"] as const;

const outcomes: readonly (readonly [string, SandboxFault, object, number])[] = [
  ["a lost answer", { kind: "lost_response" }, { kind: "unavailable", isApplied: "unknown" }, 1],
  ["a 500 too late", { kind: "server_error", isApplied: true }, { kind: "unavailable", isApplied: "unknown" }, 1],
  ["a 502 in time", { kind: "server_error", isApplied: false }, { kind: "unavailable", isApplied: "unknown" }, 0],
  ["a timeout too late", { kind: "timeout", isApplied: true }, { kind: "unavailable", isApplied: "unknown" }, 1],
  ["a timeout in time", { kind: "timeout", isApplied: false }, { kind: "unavailable", isApplied: "unknown" }, 0],
  [
    "a limit",
    { kind: "rate_limited", retryAfterMs: null },
    { kind: "rate_limited", isApplied: "no", retryAt: null },
    0,
  ],
  ["an old token", { kind: "expired_token" }, { kind: "unauthorized", isApplied: "no", retryAt: null }, 0],
];

describe.each(manners)("trouble with a call, in the manner of %s", (manner) => {
  it.each(outcomes)("that writes: %s", async (_, fault, error, made) => {
    const { drover, pull, sandbox, spoil } = await openHarness(manner);
    spoil("create_comment", fault);
    await expect(drover.createComment({ pull, body: "Once." })).rejects.toMatchObject(error);
    expect(sandbox.look(pull).comments).toHaveLength(made);
    await drover.createComment({ pull, body: "Once more." });
    expect(sandbox.look(pull).comments).toHaveLength(made + 1);
  });

  it.each(outcomes)("that reads: %s", async (_, fault, error) => {
    const { drover, pull, spoil } = await openHarness(manner);
    spoil("list_comments", fault);
    await expect(drover.fetchPull(pull)).rejects.toMatchObject({ ...error, isApplied: "no" });
    await drover.fetchPull(pull);
  });

  it("is told apart from a refusal, even where both are 403", async () => {
    const { drover, repository, accounts, spoil } = await openHarness(manner, { hidesPermissions: true });
    const request = { repository, account: accounts.ada };
    expect(await drover.fetchPermission(request)).toBe("undetermined");
    spoil("get_permission", { kind: "rate_limited", retryAfterMs: null });
    await expect(drover.fetchPermission(request)).rejects.toMatchObject({ kind: "rate_limited" });
  });

  it("ends when the forge says, on the clock of the machine that asked", async () => {
    const { sandbox, accounts, pull, spoil } = await openHarness(manner);
    const clock = stillClock(5_000);
    spoil("create_comment", { kind: "rate_limited", retryAfterMs: 90_001 });
    const call = sandbox.clientOf(accounts.drover, clock).createComment({ pull, body: "Soon." });
    await expect(call).rejects.toMatchObject({ retryAt: 5_000 + 91 * secondMs });
  });

  it("is asked about before each call, by the name of the endpoint", async () => {
    const { drover, pull, spoil } = await openHarness(manner);
    for (const endpoint of ["get_pull", "list_comments", "list_reviews", "list_reactions", "list_statuses"]) {
      spoil(endpoint, { kind: "expired_token" });
      await expect(drover.fetchPull(pull)).rejects.toMatchObject({ message: expect.stringContaining(endpoint) });
    }
  });

  it("leaves a merge that happened to be found", async () => {
    const { drover, pull, head, sandbox, spoil } = await openHarness(manner);
    spoil("merge_pull", { kind: "lost_response" });
    await expect(drover.merge({ pull, head })).rejects.toMatchObject({ isApplied: "unknown" });
    expect(sandbox.look(pull).merged).toMatchObject({ head });
    expect((await drover.fetchPull(pull)).pull.state).toBe("merged");
  });
});

describe.each(manners)("a limit on writes, in the manner of %s", (manner) => {
  it("lets so many through in a minute, for each account, and says when there is room again", async () => {
    const harness = await openHarness(manner, { writesPerMinuteMax: 2 });
    const { drover, sandbox, accounts, pull, now } = harness;
    const comment = { pull, body: "Hello." };
    await drover.createComment(comment);
    harness.pass(10 * secondMs);
    await drover.createComment(comment);
    const error = { kind: "rate_limited", isApplied: "no", retryAt: now() + 50 * secondMs };
    await expect(drover.createComment(comment)).rejects.toMatchObject(error);
    await sandbox.clientOf(accounts.rita).createComment(comment);
    await drover.fetchPull(pull);
    harness.pass(50 * secondMs);
    await drover.createComment(comment);
    await expect(drover.createComment(comment)).rejects.toMatchObject({ kind: "rate_limited" });
    expect(sandbox.look(pull).comments).toHaveLength(4);
  });

  it("is not there unless it is switched on", async () => {
    const { drover, pull, sandbox } = await openHarness(manner);
    for (let index = 0; index < 200; index++) await drover.createComment({ pull, body: `${index}` });
    expect(sandbox.look(pull).comments).toHaveLength(200);
  });
});

describe.each(manners)("a limit on all calls, in the manner of %s", (manner) => {
  it("tells how many are left, serves no more than that, and is full again with the next hour", async () => {
    const harness = await openHarness(manner, { callsPerHourMax: 3 });
    const { drover, sandbox, accounts, repository, now } = harness;
    const resetAt = (Math.floor(now() / hourMs) + 1) * hourMs;
    expect(drover.findRateLimit()).toEqual({ limit: 3, left: 3, resetAt });
    for (let left = 2; left >= 0; left--) {
      await drover.fetchRepository(repository.name);
      expect(drover.findRateLimit()).toEqual({ limit: 3, left, resetAt });
    }
    const retryAt = now() + Math.ceil((resetAt - now()) / secondMs) * secondMs;
    const error = { kind: "rate_limited", isApplied: "no", retryAt };
    await expect(drover.fetchRepository(repository.name)).rejects.toMatchObject(error);
    expect(sandbox.clientOf(accounts.rita).findRateLimit()).toMatchObject({ left: 3 });
    harness.pass(resetAt - now());
    await drover.fetchRepository(repository.name);
  });

  it("is neither there nor told unless it is switched on", async () => {
    const { drover } = await openHarness(manner);
    expect(drover.findRateLimit()).toBeNull();
  });
});

describe("a merge on Gitea", () => {
  it("is not denied when only the look at it failed, or lagged", async () => {
    for (const fault of [{ kind: "expired_token" }, { kind: "stale", ms: 5 * secondMs }] as const) {
      const { drover, pull, head, sandbox, spoil } = await openHarness("gitea");
      spoil("get_pull", fault);
      await expect(drover.merge({ pull, head })).rejects.toMatchObject({ isApplied: "unknown" });
      expect(sandbox.look(pull).merged).not.toBeNull();
    }
  });
});
