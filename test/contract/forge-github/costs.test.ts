import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { type GithubTown, openGithubTown } from "./github-town.ts";

describe("what GitHub charges", () => {
  let town: GithubTown;
  beforeEach(async () => {
    town = await openGithubTown();
  });
  afterEach(() => town.close());

  /** Requests that came in since, by what they cost. */
  async function charged(call: () => Promise<unknown>): Promise<{ requests: number; points: number }> {
    const before = town.github.requests.length;
    const spentBefore = town.spent.length;
    await call();
    const points = town.spent.slice(spentBefore).reduce((sum, each) => sum + each.points, 0);
    return { requests: town.github.requests.length - before, points };
  }

  it("for a look at a whole pull is one point, in one request", async () => {
    const pull = await town.openPull("one");
    const forge = town.connect();
    await forge.fetchPull(pull);
    expect(await charged(() => forge.fetchPull(pull))).toEqual({ requests: 1, points: 1 });
  });

  it("for all open pulls is one point, in one request, however many there are", async () => {
    for (let index = 0; index < 230; index++) await town.openPull(`branch-${index}`);
    const forge = town.connect();
    const first = await forge.fetchOpenPulls(town.repository);
    expect(await charged(() => forge.fetchOpenPulls(town.repository))).toEqual({ requests: 1, points: 1 });
    expect(await forge.fetchOpenPulls(town.repository)).toEqual(first);
  });

  it("keeps nobody out of sight: what was opened, closed and opened again is told at the next look", async () => {
    const pulls = [];
    for (let index = 0; index < 130; index++) pulls.push(await town.openPull(`branch-${index}`));
    const [oldest, second] = pulls;
    if (oldest === undefined || second === undefined) throw new Error("no pulls");
    const forge = town.connect();
    const open = async (): Promise<ReadonlySet<number>> =>
      new Set((await forge.fetchOpenPulls(town.repository)).map(({ pull }) => pull.number));
    expect((await open()).size).toBe(130);
    await town.mia.editPull(oldest, { state: "closed" });
    const young = await town.openPull("young");
    const seen = await open();
    expect([seen.size, seen.has(oldest.number), seen.has(young.number)]).toEqual([130, false, true]);
    await town.mia.editPull(oldest, { state: "open" });
    expect([(await open()).size, (await open()).has(oldest.number)]).toEqual([131, true]);
  });

  it("does not tell of a pull again because the base moved, as long as it can be merged as before", async () => {
    await town.openPull("one");
    const forge = town.connect();
    const before = await forge.fetchOpenPulls(town.repository);
    await town.mia.push({
      repository: town.repository,
      branch: "main",
      changes: { "other.txt": "other\n" },
      message: "Other",
    });
    expect(await forge.fetchOpenPulls(town.repository)).toEqual(before);
    town.pass(minuteMs);
    expect(await forge.fetchOpenPulls(town.repository)).toEqual(before);
  });

  it("for what has not changed is nothing", async () => {
    const forge = town.connect();
    await forge.fetchRepository(town.repository.name);
    const again = await charged(() => forge.fetchRepository(town.repository.name));
    expect(again).toEqual({ requests: 1, points: 0 });
  });
});
