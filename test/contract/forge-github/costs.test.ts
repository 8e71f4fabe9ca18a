import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { type GithubHarness, openGithubHarness } from "./github-harness.ts";

describe("what GitHub charges", () => {
  let harness: GithubHarness;
  beforeEach(async () => {
    harness = await openGithubHarness();
  });
  afterEach(() => harness.close());

  /** Requests that came in since, by what they cost. */
  async function charged(call: () => Promise<unknown>): Promise<{ requests: number; points: number }> {
    const before = harness.github.requests.length;
    const spentBefore = harness.spent.length;
    await call();
    const points = harness.spent.slice(spentBefore).reduce((sum, each) => sum + each.points, 0);
    return { requests: harness.github.requests.length - before, points };
  }

  it("for a look at a whole pull is one point, in one request", async () => {
    const pull = await harness.openPull("one");
    const forge = harness.connect();
    await forge.fetchPull(pull);
    expect(await charged(() => forge.fetchPull(pull))).toEqual({ requests: 1, points: 1 });
  });

  it("for all open pulls is one point, in one request, however many there are", async () => {
    for (let index = 0; index < 230; index++) await harness.openPull(`branch-${index}`);
    const forge = harness.connect();
    const first = await forge.fetchOpenPulls(harness.repository);
    expect(await charged(() => forge.fetchOpenPulls(harness.repository))).toEqual({ requests: 1, points: 1 });
    expect(await forge.fetchOpenPulls(harness.repository)).toEqual(first);
  });

  it("keeps nobody out of sight: what was opened, closed and opened again is told at the next look", async () => {
    const pulls = [];
    for (let index = 0; index < 130; index++) pulls.push(await harness.openPull(`branch-${index}`));
    const [oldest, second] = pulls;
    if (oldest === undefined || second === undefined) throw new Error("no pulls");
    const forge = harness.connect();
    const open = async (): Promise<ReadonlySet<number>> =>
      new Set((await forge.fetchOpenPulls(harness.repository)).map(({ pull }) => pull.number));
    expect((await open()).size).toBe(130);
    await harness.mia.editPull(oldest, { state: "closed" });
    const young = await harness.openPull("young");
    const seen = await open();
    expect([seen.size, seen.has(oldest.number), seen.has(young.number)]).toEqual([130, false, true]);
    await harness.mia.editPull(oldest, { state: "open" });
    expect([(await open()).size, (await open()).has(oldest.number)]).toEqual([131, true]);
  });

  it("does not tell of a pull again because the base moved, as long as it can be merged as before", async () => {
    await harness.openPull("one");
    const forge = harness.connect();
    const before = await forge.fetchOpenPulls(harness.repository);
    await harness.mia.push({
      repository: harness.repository,
      branch: "main",
      changes: { "other.txt": "other\n" },
      message: "Other",
    });
    expect(await forge.fetchOpenPulls(harness.repository)).toEqual(before);
    harness.pass(minuteMs);
    expect(await forge.fetchOpenPulls(harness.repository)).toEqual(before);
  });

  it("for what has not changed is nothing", async () => {
    const forge = harness.connect();
    await forge.fetchRepository(harness.repository.name);
    const again = await charged(() => forge.fetchRepository(harness.repository.name));
    expect(again).toEqual({ requests: 1, points: 0 });
  });
});
