import { describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { after, secondMs } from "#core/model/instant.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import { openTestForge } from "#harness/test-forge.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import { outcomeOf } from "./stage.ts";

describe.each(["github", "gitea"] as const)("two workers on a sandbox with the manners of %s", (manner) => {
  it("are both quiet after one was turned away, and then say each thing once", async () => {
    const clock = createVirtualClock(at(0));
    let reached = 0;
    let isBusy = false;
    const { sandbox, accounts, openPull } = await openTestForge({
      manner,
      clock,
      faults: () => {
        reached += 1;
        return isBusy ? { kind: "rate_limited", retryAfterMs: 30 * secondMs } : null;
      },
      people: { mia: "owner", drover: { kind: "bot", may: "write" } },
    });
    const pull = await openPull();
    const parts = { store: createMemoryStore(), clock, instance: InstanceId.parse("test"), writeGapMs: secondMs };
    const [one, two] = [0, 1].map(() => throttledForge({ ...parts, forge: sandbox.clientOf(accounts.drover) }));
    if (one === undefined || two === undefined) throw new Error("two workers are needed");

    isBusy = true;
    const refused = { kind: "rate_limited", isApplied: "no", retryAt: after(at(0), 30 * secondMs) };
    expect(await outcomeOf(one.createComment({ pull, body: "one" }))).toEqual(refused);
    const reachedBefore = reached;
    expect(await outcomeOf(two.createComment({ pull, body: "two" }))).toEqual(refused);
    expect(await outcomeOf(two.fetchPull(pull))).toEqual(refused);
    expect(reached).toBe(reachedBefore);

    isBusy = false;
    await clock.advance(30 * secondMs);
    const said = Promise.all([one.createComment({ pull, body: "one" }), two.createComment({ pull, body: "two" })]);
    await clock.advance(secondMs);
    await said;
    const comments = sandbox.look(pull).comments.map(({ body, createdAt }) => ({ body, createdAt }));
    expect(comments).toEqual([
      { body: "one", createdAt: after(at(0), 30 * secondMs) },
      { body: "two", createdAt: after(at(0), 31 * secondMs) },
    ]);
  });
});
