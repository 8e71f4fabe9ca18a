import { describe, expect, it } from "vitest";
import { createDatabaseHealth } from "#app/serve/database-health.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

describe("the health of the database", () => {
  it("is what became of the last thing that was asked of it", async () => {
    const health = createDatabaseHealth(createVirtualClock(at(0)));
    expect(health.findTrouble()).toBeNull();
    await expect(health.follow(() => Promise.reject(new Error("the disk is full")))).rejects.toThrow("is full");
    expect(health.findTrouble()).toBe("the database fails; the log says why");
    expect(await health.follow(async () => "an entry")).toBe("an entry");
    expect(health.findTrouble()).toBeNull();
    health.note("failed");
    expect(health.findTrouble()).not.toBeNull();
    health.note("done");
    expect(health.findTrouble()).toBeNull();
  });

  it("is bad while it does not answer, before anything has failed", async () => {
    const clock = createVirtualClock(at(0));
    const health = createDatabaseHealth(clock);
    const asked = health.follow(() => clock.sleep(40_000));
    await clock.advance(10_000);
    expect(health.findTrouble()).toBeNull();
    await clock.advance(1);
    expect(health.findTrouble()).toBe("the database does not answer");
    await clock.advance(30_000);
    await asked;
    expect(health.findTrouble()).toBeNull();
  });
});
